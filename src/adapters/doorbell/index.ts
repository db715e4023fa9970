export { ringSocket } from './ring-socket.ts';

export { notifySocket } from './notify-socket.ts';

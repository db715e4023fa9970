// The suite has no way to send a token; loaded before it, this puts ours on each of its requests.
import { subscribe } from 'node:diagnostics_channel';

const authorization = `Bearer ${process.env.OKA_PEER_TOKEN}`;

subscribe('undici:request:create', ({ request }) => {
  request.addHeader('authorization', authorization);
});
subscribe('http.client.request.created', ({ request }) => {
  request.setHeader('authorization', authorization);
});

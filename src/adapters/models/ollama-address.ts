const DEFAULT_PORT = '11434';

/** The address of Ollama's API from `OLLAMA_HOST`: a host, a port, both, or a URL. */
export function ollamaAddress(host = ''): string {
  const trimmed = host.trim();
  const withHost = trimmed.startsWith(':') || trimmed === '' ? `127.0.0.1${trimmed}` : trimmed;
  const withScheme = withHost.includes('://') ? withHost : `http://${withHost}`;
  const url = new URL(withScheme);
  if (!trimmed.includes('://') && url.port === '' && !/:80$/.test(trimmed)) url.port = DEFAULT_PORT;
  // 0.0.0.0 is a listen address; connect to the loopback address instead.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/api') ? path : `${path}/api`}`;
}

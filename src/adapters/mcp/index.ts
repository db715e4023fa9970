export type { FoundServer } from './approved-server.ts';
export { McpConnections, type McpConnectionsOptions } from './mcp-connections.ts';

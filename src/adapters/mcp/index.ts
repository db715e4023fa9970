export type { FoundServer } from './approved-server.ts';
export { faceWithFiles } from './launch-files.ts';
export { McpConnections, type McpConnectionsOptions } from './mcp-connections.ts';

/** Codes that MCP servers and their tools raise. */
export type McpErrorCode =
  | 'mcp.unknown_server'
  | 'mcp.invalid_server'
  | 'mcp.exists'
  | 'mcp.off'
  | 'mcp.missing_value'
  | 'mcp.not_approved'
  | 'mcp.changed'
  | 'mcp.unreachable'
  | 'mcp.unsupported_protocol'
  | 'mcp.timeout'
  | 'mcp.connection_lost'
  | 'mcp.failing'
  | 'mcp.too_large'
  | 'mcp.protocol_error'
  | 'mcp.tool_failed';

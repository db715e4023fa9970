export { offerSource, type ServerIdentity, type ServerSource } from './offer-server.ts';
export type {
  CallContext,
  CallOutcome,
  CompletionRequest,
  McpOffer,
  OfferChange,
  OfferedPrompt,
  OfferedResource,
  OfferedTemplate,
  OfferedTool,
  ResourceContent,
} from './ports.ts';
export { type HttpService, type McpServerErrorCode, serveHttp } from './serve-http.ts';
export { serveStreams } from './serve-streams.ts';
export { TokenFile } from './token-file.ts';

// A separate file, so that the parser is loaded only when needed.
export { parseAllDocuments } from 'yaml';

// A separate file, so that the parser is loaded only when needed.
export { parseDocument, stringify } from 'yaml';

// By itself, so that it is loaded only when a document is taken apart.
export { parseDocument, stringify } from 'yaml';

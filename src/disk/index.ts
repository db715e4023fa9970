export { isProgram } from './is-program.ts';
export {
  linkRefused,
  makePrivateFolder,
  replaceFile,
  syncPath,
  syncTree,
  writeNewFile,
} from './private-files.ts';

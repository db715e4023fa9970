export {
  linkRefused,
  makePrivateFolder,
  replaceFile,
  syncPath,
  syncTree,
  writeNewFile,
} from './private-files.ts';

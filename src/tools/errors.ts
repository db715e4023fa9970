/** Codes that the built-in tools and the files behind them raise. */
export type ToolsErrorCode =
  | 'files.invalid_path'
  | 'files.outside_workspace'
  | 'files.protected'
  | 'files.not_found'
  | 'files.not_a_file'
  | 'files.not_a_folder'
  | 'files.not_text'
  | 'files.too_large'
  | 'files.changed'
  | 'files.denied'
  | 'files.disk_full'
  | 'files.io_failed';

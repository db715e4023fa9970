export const FILES_ERROR_CODES = [
  'files.invalid_path',
  'files.outside_workspace',
  'files.protected',
  'files.not_found',
  'files.not_a_file',
  'files.empty_write',
  'files.not_a_folder',
  'files.not_text',
  'files.too_large',
  'files.changed',
  'files.denied',
  'files.disk_full',
  'files.io_failed',
  'files.exists',
  'files.text_not_found',
  'files.text_ambiguous',
  'files.redacted_write',
] as const;

export type ToolsErrorCode =
  | (typeof FILES_ERROR_CODES)[number]
  | 'process.shell_refused'
  | 'process.environment_refused'
  | 'process.git_refused'
  | 'process.program_missing'
  | 'process.not_executable'
  | 'process.start_failed'
  | 'process.draft_failed'
  | 'process.draft_conflict'
  | 'process.draft_too_large'
  | 'process.timed_out'
  | 'process.memory_exceeded'
  | 'process.sandbox_required'
  | 'process.secret_missing'
  | 'http.invalid_url'
  | 'http.invalid_request'
  | 'http.header_refused'
  | 'http.address_refused'
  | 'http.too_many_redirects'
  | 'http.redirect_refused'
  | 'http.secret_missing'
  | 'http.secret_in_clear'
  | 'http.timed_out'
  | 'http.failed';

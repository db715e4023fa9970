/** Codes of what goes wrong around programs and modules that are missing. */
export type EnvironmentErrorCode =
  | 'environment.invalid_package'
  | 'environment.invalid_source'
  | 'environment.package_not_found'
  | 'environment.install_needed'
  | 'environment.install_failed'
  | 'environment.install_timed_out'
  | 'environment.installer_missing'
  | 'environment.unverified'
  | 'environment.needs_root'
  | 'environment.link_refused'
  | 'environment.busy';

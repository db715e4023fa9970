export type EvalErrorCode =
  | 'eval.unknown'
  | 'eval.invalid'
  | 'eval.exists'
  | 'eval.not_ended'
  | 'eval.erased'
  | 'eval.not_recorded'
  | 'eval.not_run'
  | 'eval.link_refused';

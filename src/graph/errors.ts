/** Codes of errors; findings of the compiler are diagnostics. */
export type GraphErrorCode =
  | 'graph.unknown'
  | 'graph.invalid'
  | 'graph.input_invalid'
  | 'graph.exists'
  | 'graph.changed'
  | 'graph.unknown_version'
  | 'graph.patch_refused'
  | 'graph.condition_type'
  | 'graph.condition_pattern'
  | 'graph.expression_failed'
  | 'graph.unknown_node'
  | 'graph.missing_value'
  | 'graph.max_steps'
  | 'graph.not_a_list'
  | 'graph.too_many_items'
  | 'graph.branch_not_offered';

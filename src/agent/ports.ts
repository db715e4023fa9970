/** Gets the text of a model while it streams. The record has the whole answer. */
export type TextListener = (piece: {
  readonly run: string;
  readonly text: string;
  /** The model that is asked; set once, before its text. */
  readonly model?: string;
  /** True for the end of the answer. */
  readonly last?: true;
}) => void;

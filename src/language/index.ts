export { needsOf } from './asks-for.ts';
export { type ChosenTool, ToolChooser } from './choose-tool.ts';
export {
  extensionIn,
  type FileOrder,
  type FileSelection,
  firstInOrder,
  isSelected,
  isSpecific,
  type NameCondition,
  nameIn,
  type Period,
  parentOf,
  type SurveyedFile,
  selectFiles,
} from './file-selection.ts';
export type { FilledParameters } from './fill-parameters.ts';
export { type Parameter, type ParameterRole, parametersOf } from './parameters.ts';
export {
  goalOf,
  isFiller,
  isTemplate,
  isValue,
  looksLikeFile,
  readGoal,
  readTokens,
  textOf,
  tidyPath,
} from './read-goal.ts';
export { type CorrectedGoal, correctSpelling, KnownWords } from './spelling.ts';
export { type GoalPiece, saysSeveral, splitGoal } from './split-goal.ts';
export { type Step, splitSteps } from './split-steps.ts';
export type { EarlierSteps, Goal, GoalPart, Token } from './types.ts';
export { isPronoun, secondsOf, TOOL_VERBS } from './vocabulary.ts';

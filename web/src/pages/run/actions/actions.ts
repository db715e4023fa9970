// The actions of the page. A new one is a file with its dialog and one entry here.

import { ExportRun } from '../../../parts/export-run-action.tsx';
import { CompareWithRun } from '../../run-compare/compare-action.tsx';
import { isEnded } from '../record/types.ts';
import { CancelRun } from './cancel-run.tsx';
import { ForkRun } from './fork-run.tsx';
import { PauseRun } from './pause-run.tsx';
import { ReplayRun } from './replay-run.tsx';
import { ResumeRun } from './resume-run.tsx';
import type { RunAction } from './run-action.ts';
import { UndoRun } from './undo-run.tsx';

/** A waiting run that a person answers continues by the answer. */
const waitsForPerson = (what: string | undefined): boolean => what === 'approval' || what === 'answer';

export const RUN_ACTIONS: readonly RunAction[] = [
  {
    id: 'replay',
    label: 'Replay…',
    keywords: ['compare', 'differences', 'decision'],
    place: 'button',
    isOffered: () => true,
    dialog: ReplayRun,
  },
  {
    id: 'compare',
    label: 'Compare…',
    keywords: ['difference', 'diff', 'other run'],
    place: 'button',
    isOffered: () => true,
    dialog: CompareWithRun,
  },
  {
    id: 'export',
    label: 'Export…',
    keywords: ['download', 'audit', 'html'],
    place: 'menu',
    isOffered: () => true,
    dialog: ExportRun,
  },
  {
    id: 'pause',
    label: 'Pause',
    place: 'button',
    isOffered: ({ status }) => !isEnded(status) && status !== 'paused',
    dialog: PauseRun,
  },
  {
    id: 'resume',
    label: 'Resume',
    keywords: ['continue', 'retry'],
    place: 'button',
    isOffered: ({ status, waitingFor }) =>
      status === 'paused' ||
      status === 'failed' ||
      status === 'cancelled' ||
      status === 'pending' ||
      status === 'interrupted' ||
      (status === 'waiting' && !waitsForPerson(waitingFor?.what)),
    dialog: ResumeRun,
  },
  {
    id: 'fork',
    label: 'Fork from here…',
    keywords: ['branch', 'what if'],
    place: 'button',
    look: 'primary',
    isOffered: (_, { tree }) => tree.root.steps.length > 0,
    dialog: ForkRun,
  },
  {
    id: 'cancel',
    label: 'Cancel the run…',
    keywords: ['stop'],
    place: 'menu',
    danger: true,
    isOffered: ({ status }) => !isEnded(status),
    dialog: CancelRun,
  },
  {
    id: 'undo',
    label: 'Undo file changes…',
    keywords: ['revert', 'restore'],
    place: 'menu',
    danger: true,
    isOffered: ({ status, undoable }, { whole }) =>
      isEnded(status) && undoable === true && !whole.root.isUndone,
    dialog: UndoRun,
  },
];

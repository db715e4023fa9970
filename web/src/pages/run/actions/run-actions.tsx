import { type ReactNode, useMemo, useState } from 'react';
import type { Answer } from '../../../api/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Menu } from '../../../parts/menu.tsx';
import { useActions } from '../../../state/actions.ts';
import type { Moment } from '../use-moment.ts';
import { useSelectedStep } from '../use-selected-step.ts';
import { RUN_ACTIONS } from './actions.ts';

interface RunActionsProps {
  readonly answer: Answer<'/v1/runs/{run}'>;
  readonly moment: Moment | undefined;
}

export function RunActions({ answer, moment }: RunActionsProps): ReactNode {
  return moment === undefined ? null : <OfferedActions answer={answer} moment={moment} />;
}

function OfferedActions({ answer, moment }: RunActionsProps & { readonly moment: Moment }): ReactNode {
  const [opened, setOpened] = useState<string>();
  const { step } = useSelectedStep(moment);
  const ids = RUN_ACTIONS.filter(({ isOffered }) => isOffered(answer.run, moment))
    .map(({ id }) => id)
    .join(' ');
  const offered = useMemo(() => RUN_ACTIONS.filter(({ id }) => ids.split(' ').includes(id)), [ids]);
  useActions(
    useMemo(
      () =>
        offered.map(({ id, label, keywords = [] }) => ({
          id: `run.${id}`,
          label: `Run: ${label}`,
          keywords: ['run', ...keywords],
          run: () => setOpened(id),
        })),
      [offered],
    ),
  );
  const Opened = RUN_ACTIONS.find(({ id }) => id === opened)?.dialog;
  const own = step?.run === moment.tree.root.id ? step : moment.tree.root.steps.at(-1);
  const inMenu = offered.filter(({ place }) => place === 'menu');
  return (
    <>
      {offered
        .filter(({ place }) => place === 'button')
        .map(({ id, label, look = 'plain' }) => (
          <Button key={id} look={look} onClick={() => setOpened(id)}>
            {label}
          </Button>
        ))}
      {inMenu.length > 0 && (
        <Menu
          label="More actions"
          items={inMenu.map(({ id, label, danger = false }) => ({
            label,
            danger,
            onSelect: () => setOpened(id),
          }))}
        />
      )}
      {Opened !== undefined && (
        <Opened answer={answer} moment={moment} step={own?.step ?? 1} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { toProblem } from '../../api/problem.ts';
import { type Answer, queryClient, useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { readGraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { showProblem } from '../../state/toasts.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { emptyDocument } from './document/edit-document.ts';
import { GraphEditor } from './graph-editor.tsx';

type Example = Answer<'/v1/graph-gallery'>[number];

/** A graph that is not saved yet: empty, or from an example of the gallery (`?from=`). */
export default function NewGraphPage(): ReactNode {
  const [from] = useUrlParam('from');
  const gallery = useApi('/v1/graph-gallery', undefined, { enabled: from !== '' });
  const graphs = useApi('/v1/graphs');
  return (
    <Page title="New graph" crumbs={[{ label: 'Graphs', href: '/graphs' }]} width="full">
      <QueryState query={graphs}>
        {(known) =>
          from === '' ? (
            <NewGraph key="empty" examples={[]} from="" known={known.map(({ id }) => id)} />
          ) : (
            <QueryState query={gallery}>
              {(examples) => (
                <NewGraph key={from} {...{ examples, from }} known={known.map(({ id }) => id)} />
              )}
            </QueryState>
          )
        }
      </QueryState>
    </Page>
  );
}

interface NewGraphProps {
  readonly examples: readonly Example[];
  readonly from: string;
  /** The ids that are taken. */
  readonly known: readonly string[];
}

function NewGraph({ examples, from, known }: NewGraphProps): ReactNode {
  const [, navigate] = useLocation();
  const example = examples.find(({ name }) => name === from);
  const stem = from || 'my-graph';
  // The list is read again after a save; the new graph keeps the id that it started with.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const file = useMemo(() => {
    const id = freeName(stem, known);
    const document = from === '' ? emptyDocument(id, 'My graph') : readGraphDocument(example?.definition);
    return document && { document: { ...document, id } };
  }, [stem, from, example]);
  if (file === undefined) return <EmptyState title={`There is no example "${from}".`} />;
  const called = examples.filter(({ name }) => example?.calls.includes(name) && !known.includes(name));
  return (
    <GraphEditor
      place={`/graphs/new?from=${from}`}
      file={file}
      onConflict={() =>
        showProblem(
          toProblem(new Error('A graph with this id exists already. Choose another id in the form.')),
        )
      }
      onCreated={(id, run) =>
        navigate(`/graphs/${encodeURIComponent(id)}${run === undefined ? '' : `?run=${run}&side=run`}`)
      }
      {...(called.length > 0 && {
        also: called.map(({ name }) => name),
        saveAlso: (then: () => void) => void saveAll(called).then(then, showFailure),
      })}
    />
  );
}

const showFailure = (error: unknown): void => showProblem(toProblem(error));

/** The examples that an example calls. */
async function saveAll(called: readonly Example[]): Promise<void> {
  for (const { name, definition } of called)
    await client.PUT('/v1/graphs/{graph}', { params: { path: { graph: name } }, body: { definition } });
  await queryClient.invalidateQueries({ queryKey: ['/v1/graphs'] });
}

function freeName(stem: string, known: readonly string[]): string {
  let name = stem;
  for (let count = 2; known.includes(name); count += 1) name = `${stem}-${count}`;
  return name;
}

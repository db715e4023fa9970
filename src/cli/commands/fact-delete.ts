import type { Command } from 'commander';
import { type FactErasure, type FactPlace, shortId } from '../../api/index.ts';
import { type Context, usageProblem } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

interface DeleteOptions {
  readonly everything?: boolean;
  readonly keepOthers?: boolean;
  readonly erase?: readonly string[];
}

export function factDeleteCommand(fact: Command, run: Run): void {
  fact
    .command('delete')
    .description('Erase a fact permanently, and what states it as you choose')
    .argument('<id>')
    .option('--everything', 'Erase every goal, message and run that states it, too')
    .option('--keep-others', 'Erase only the fact, and keep what states it')
    .option('--erase <place...>', 'Erase only these places, too; the others stay')
    .addHelpText('after', '\nWithout an option it asks about each place that states the fact.')
    .action((id: string, options: DeleteOptions) =>
      run(async (context) => {
        const { memory } = await context.open();
        const { id: whole, text } = await memory.getFact(id);
        const erase = await choosePlaces(context, await memory.factPlaces(whole), options);
        const erasure = await memory.eraseFact({ id: whole, erase, by: context.by });
        context.printer.answer({ deleted: whole, text, ...erasure }, (answer) =>
          [`Deleted ${shortId(whole)}: ${clip(text, 80)}`, ...showErasure(answer)].join('\n'),
        );
        return EXIT.ok;
      }),
    );
}

async function choosePlaces(
  context: Context,
  places: readonly FactPlace[],
  { everything, keepOthers, erase }: DeleteOptions,
): Promise<readonly string[]> {
  if ([everything, keepOthers, erase].filter(Boolean).length > 1)
    throw usageProblem('Give only one of --everything, --keep-others and --erase.');
  if (everything) return ['all'];
  if (erase !== undefined) return erase;
  if (keepOthers || places.length === 0) return [];
  if (!context.canPrompt)
    throw usageProblem(
      [
        'Other places state this fact, and nothing was erased:',
        ...places.map((place) => `  ${showPlace(place)}`),
        'Choose with --everything, --keep-others or --erase <place>.',
      ].join('\n'),
    );
  const chosen: string[] = [];
  for (const place of places)
    if (await context.confirm(`${visible(place.what)} states it. Erase that, too?`)) chosen.push(place.id);
  return chosen;
}

function showPlace({ id, what, open, fixed }: FactPlace): string {
  const why = open ? ' (has not ended)' : fixed === undefined ? '' : ` (stays: ${fixed})`;
  return `${visible(id)}  ${visible(what)}${why}`;
}

function showErasure({ erased, kept, remains, everywhere }: FactErasure): readonly string[] {
  return [
    ...erased.map((place) => `Erased ${visible(place.what)}`),
    ...kept.map((place) => `Kept   ${visible(place.what)}, which still states it`),
    ...remains.map(({ where, why }) => `Still in ${visible(where)}: ${visible(why)}`),
    ...(everywhere
      ? ['Its text is erased everywhere: a search of all that Oka stores found it nowhere.']
      : []),
  ];
}

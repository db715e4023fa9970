import { type Command, InvalidArgumentError } from 'commander';
import { answerWith, type Run } from '../run.ts';

export function modelCommand(program: Command, run: Run): void {
  const model = program.command('model').description('Set what models cost');
  model
    .command('price')
    .description('Set the price of a model, in US dollars per million tokens')
    .argument('<model>', 'Provider and model, such as openai/gpt-4.1')
    .requiredOption('--input <usd>', 'Price of input tokens', parsePrice)
    .requiredOption('--output <usd>', 'Price of output tokens', parsePrice)
    .option('--cached-input <usd>', 'Price of input tokens from the cache of the provider', parsePrice)
    .addHelpText(
      'after',
      '\nExamples:\n  oka model price openai/gpt-4.1 --input 2 --output 8\n  oka model price anthropic/claude-sonnet-4-5 --input 3 --output 15 --cached-input 0.3',
    )
    .action((name: string, options: { input: number; output: number; cachedInput?: number }) =>
      answerWith(
        run,
        (api) => api.models.setPrice({ model: name, ...options }),
        ({ file }) => `Saved the price of ${name} in ${file}.`,
      ),
    );
}

function parsePrice(value: string): number {
  const price = Number(value);
  if (value.trim() !== '' && Number.isFinite(price) && price >= 0) return price;
  throw new InvalidArgumentError('Expected US dollars per million tokens, such as 2.5');
}

import type { Command } from 'commander';
import { type Context, usageProblem } from '../context.ts';
import { requestWebLink, type WebLink } from '../daemon-link.ts';
import { placeOf, startHost } from '../host-process.ts';
import { openInBrowser } from '../open-browser.ts';
import type { Run } from '../run.ts';

export function webCommand(program: Command, run: Run): void {
  program
    .command('web')
    .description('Open the web app; starts the daemon if it does not run')
    .argument('[page]', 'Page to open, such as /runs or /approvals')
    .option('--no-open', 'Print the link instead of opening a browser')
    .addHelpText('after', '\nExamples:\n  oka web\n  oka web /approvals\n  oka web --no-open')
    .action((page: string | undefined, options: { open: boolean }) =>
      run(async (context) => {
        const { url, expiresAt } = await linkTo(context, page);
        const isOpened = options.open && !context.printer.json && (await openInBrowser(url));
        context.printer.answer({ url, expiresAt }, () =>
          isOpened ? `Opened the web app in your browser. If it did not open: ${url}` : showLink(url),
        );
      }),
    );
}

export function showLink(url: string): string {
  return `${url}\nThe link works once, within ten minutes. For another one: oka web`;
}

/** A link to a page of the app of this workspace. */
async function linkTo(context: Context, page?: string): Promise<WebLink> {
  if (page !== undefined && !/^\/(?![/\\])/.test(page))
    throw usageProblem(`Invalid page "${page}": expected a path of the app, such as /runs or /approvals.`);
  await startHost(context);
  return requestWebLink(placeOf(context), page);
}

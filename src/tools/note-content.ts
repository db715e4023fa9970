import type { ContentOrigins, ToolContext } from '../engine/index.ts';

/** Notes that a call has read a file of the workspace, if its content is untrusted. Returns whether it is. */
export async function noteFileRead(context: ToolContext, path: string, digest: string): Promise<boolean> {
  const untrusted = await originsOf(context)?.untrustedFile(path, digest);
  if (untrusted !== undefined) context.noteRead?.({ untrusted });
  return untrusted !== undefined;
}

/** Notes that a call has read content with this digest, if it is untrusted. Returns whether it is. */
export async function noteContentRead(context: ToolContext, digest: string): Promise<boolean> {
  const untrusted = await originsOf(context)?.untrustedFrom(digest);
  if (untrusted !== undefined) context.noteRead?.({ untrusted });
  return untrusted !== undefined;
}

function originsOf({ capabilities }: Pick<ToolContext, 'capabilities'>): ContentOrigins | undefined {
  return capabilities['content'] as ContentOrigins | undefined;
}

import type { ReactNode } from 'react';
import { formatCount, plural } from '../../../parts/format.ts';
import { JsonView } from '../../../parts/json-view.tsx';
import type { Fields } from '../record/types.ts';

/** What the model was shown, and what was left out. */
export function PromptManifest({ manifest }: { readonly manifest: unknown }): ReactNode {
  const fields = (typeof manifest === 'object' && manifest !== null ? manifest : {}) as Fields;
  const parts = (['messages', 'tools', 'skills', 'instructions'] as const).flatMap((name) => {
    const list = fields[name];
    return Array.isArray(list) && list.length > 0 ? [plural(list.length, name.replace(/s$/, ''))] : [];
  });
  const tokens = typeof fields['tokens'] === 'number' ? `, ${formatCount(fields['tokens'])} tokens` : '';
  return (
    <details className="step-manifest">
      <summary>
        Shown to the model: {parts.join(', ')}
        {tokens}
      </summary>
      <JsonView value={manifest} open={1} />
    </details>
  );
}

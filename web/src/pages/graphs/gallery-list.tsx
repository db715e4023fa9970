import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Answer } from '../../api/query.ts';
import { plural } from '../../parts/format.ts';
import { isRecord } from '../../parts/graph-canvas/graph-document.ts';

/** Examples as cards. A press opens a copy in the editor; nothing is written before it is saved. */
export function GalleryList({ examples }: { readonly examples: Answer<'/v1/graph-gallery'> }): ReactNode {
  return (
    <ul className="gallery">
      {examples
        .filter(({ isPart }) => !isPart)
        .map(({ name, description, model, calls, definition }) => (
          <li key={name}>
            <Link className="card gallery-item" href={`/graphs/new?from=${encodeURIComponent(name)}`}>
              <b>{name}</b>
              <span className="muted small">{description}</span>
              <span className="small muted gallery-facts">
                {plural(nodesIn(definition), 'node')}
                {model ? ' · asks a model' : ''}
                {calls.length > 0 ? ` · calls ${calls.join(', ')}` : ''}
              </span>
            </Link>
          </li>
        ))}
    </ul>
  );
}

function nodesIn(definition: unknown): number {
  return isRecord(definition) && Array.isArray(definition['nodes']) ? definition['nodes'].length : 0;
}

import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { Checkbox, SelectField } from '../../parts/field.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { SplitView } from '../../parts/split-view.tsx';
import { useUrlParam } from '../../state/use-url-param.ts';
import { FactList } from './fact-list.tsx';
import { FactPanel } from './fact-panel.tsx';
import { SearchResults } from './search-results.tsx';

/** Every fact, or what a search finds in memory. The query, the filters and the chosen fact are in the address. */
export function FactsTab(): ReactNode {
  const [query, setQuery] = useUrlParam('q');
  const [namespace, setNamespace] = useUrlParam('namespace');
  const [all, setAll] = useUrlParam('all');
  const [chosen, choose] = useUrlParam('fact');
  const { data: stats } = useApi('/v1/memory');
  const names = (stats?.namespaces ?? []).map((one) => one.namespace);
  const options = [...new Set([...names, ...(namespace === '' ? [] : [namespace])])].map((value) => ({
    value,
    label: value,
  }));
  const filter = { ...(namespace !== '' && { namespace }) };
  return (
    <div className="stack memory-tab">
      <div className="memory-filters">
        <SearchBox label="Search facts, episodes and runs" value={query} onChange={setQuery} />
        <SelectField
          label="Namespace"
          value={namespace}
          onChange={(event) => setNamespace(event.target.value)}
          options={[{ value: '', label: 'All' }, ...options]}
        />
        <Checkbox
          label="Expired and replaced"
          checked={all !== ''}
          disabled={query !== ''}
          onChange={(event) => setAll(event.target.checked ? '1' : '')}
        />
      </div>
      <SplitView
        label="Fact"
        list={
          query === '' ? (
            <FactList filter={filter} all={all !== ''} chosen={chosen} onChoose={choose} />
          ) : (
            <SearchResults query={query} filter={filter} chosen={chosen} onChoose={choose} />
          )
        }
        panel={chosen === '' ? undefined : <FactPanel key={chosen} id={chosen} onGone={() => choose('')} />}
        onClose={() => choose('')}
      />
    </div>
  );
}

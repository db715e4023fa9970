import { artifactStoreConformance } from './artifact-store.conformance.ts';
import { MemoryArtifactStore } from './memory-stores.ts';

artifactStoreConformance('MemoryArtifactStore', (clock) => new MemoryArtifactStore(clock));

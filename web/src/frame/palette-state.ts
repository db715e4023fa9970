import { createStore } from '../state/store.ts';

export const paletteOpen = createStore(false);

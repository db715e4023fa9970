import { createStore } from '../state/store.ts';

/** Whether the navigation is shown over the page, on a narrow screen. */
export const navigationOpen = createStore(false);

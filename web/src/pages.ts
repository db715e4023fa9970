// The pages of the app. A page is one entry here and web/src/pages/<page>/<page>-page.tsx; see web/README.md.

import { loadedPage } from './frame/loaded-page.tsx';
import type { PageEntry } from './frame/page-entry.ts';

export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Home',
    icon: 'home',
    page: loadedPage(() => import('./pages/home/home-page.tsx')),
  },
  {
    path: '/runs',
    title: 'Runs',
    icon: 'runs',
    page: loadedPage(() => import('./pages/runs/runs-page.tsx')),
  },
  {
    path: '/runs/:run',
    title: 'Run',
    icon: 'runs',
    within: '/runs',
    page: loadedPage(() => import('./pages/run/run-page.tsx')),
  },
  {
    path: '/runs/:run/compare/:other',
    title: 'Compare runs',
    icon: 'runs',
    within: '/runs',
    page: loadedPage(() => import('./pages/run-compare/run-compare-page.tsx')),
  },
  {
    path: '/approvals',
    title: 'Approvals',
    icon: 'approvals',
    page: loadedPage(() => import('./pages/approvals/approvals-page.tsx')),
  },
  {
    path: '/approvals/:id',
    title: 'Approval',
    icon: 'approvals',
    within: '/approvals',
    page: loadedPage(() => import('./pages/approvals/approval-page.tsx')),
  },
  {
    path: '/graphs',
    title: 'Graphs',
    icon: 'graphs',
    page: loadedPage(() => import('./pages/graphs/graphs-page.tsx')),
  },
  {
    path: '/graphs/new',
    title: 'New graph',
    icon: 'graphs',
    within: '/graphs',
    page: loadedPage(() => import('./pages/graphs/new-graph-page.tsx')),
  },
  {
    path: '/graphs/:graph',
    title: 'Graph',
    icon: 'graphs',
    within: '/graphs',
    page: loadedPage(() => import('./pages/graphs/graph-page.tsx')),
  },
  {
    path: '/chats',
    title: 'Chats',
    icon: 'chats',
    page: loadedPage(() => import('./pages/chats/chats-page.tsx')),
  },
  {
    path: '/chats/:name',
    title: 'Chat',
    icon: 'chats',
    within: '/chats',
    page: loadedPage(() => import('./pages/chats/chat-page.tsx')),
  },
  {
    path: '/memory',
    title: 'Memory',
    icon: 'memory',
    page: loadedPage(() => import('./pages/memory/memory-page.tsx')),
  },
  {
    path: '/context',
    title: 'Context',
    icon: 'context',
    page: loadedPage(() => import('./pages/context/context-page.tsx')),
  },
  {
    path: '/schedules',
    title: 'Schedules',
    icon: 'schedules',
    page: loadedPage(() => import('./pages/schedules/schedules-page.tsx')),
  },
  {
    path: '/settings',
    title: 'Settings',
    icon: 'settings',
    page: loadedPage(() => import('./pages/settings/settings-page.tsx')),
  },
];

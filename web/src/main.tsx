import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startLive } from './api/live.ts';
import { App } from './app.tsx';
import { followTheme } from './state/theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/frame.css';

followTheme();
startLive();
const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element with the id app');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

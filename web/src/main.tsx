// The page behind `tfprof ui`, a tab in TensorBoard, notebooks, and single files of -format html. A page that carries
// its own data asks nobody.
import { render } from 'preact';
import { App } from './App';
import { StaticPage } from './StaticPage';
import { startTheme } from './theme';
import type { PageDocument } from './types';
import './style/index.css';

startTheme();
const root = document.getElementById('app') ?? document.body.appendChild(document.createElement('div'));
root.id = 'app';
const data = document.getElementById('data');
root.replaceChildren();
render(data ? <StaticPage document={JSON.parse(data.textContent ?? '') as PageDocument} /> : <App />, root);

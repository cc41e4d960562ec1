// The page behind `tfprof ui`, a tab in TensorBoard, notebooks, and single files of -format html. A page that carries
// its own data asks nobody.
import { render } from 'preact';
import { App } from './App';
import { startTheme } from './theme';
import './style/index.css';

startTheme();
const root = document.getElementById('app') ?? document.body.appendChild(document.createElement('div'));
root.id = 'app';
render(<App />, root);

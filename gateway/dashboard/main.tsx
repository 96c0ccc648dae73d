import { render } from 'preact'
import { App } from './app.tsx'
import { listenForKeys } from './core/keys.ts'
import { followLinks } from './core/router.ts'

followLinks()
listenForKeys()
render(<App />, document.getElementById('app')!)

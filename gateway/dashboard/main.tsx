import { render } from 'preact'
import { App } from './app.tsx'
import { listenForKeys } from './core/keys.ts'
import { followPreferences } from './core/preferences.ts'
import { followLinks } from './core/router.ts'

followLinks()
listenForKeys()
followPreferences()
render(<App />, document.getElementById('app')!)

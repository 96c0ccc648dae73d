import { chooseKeys, goKeys, helpShown, keysOn } from '../core/keys.ts'
import { docsPath, t } from '../core/language.ts'
import type { PageName } from '../core/router.ts'
import { useStore } from '../core/store.ts'
import { Dialog } from './dialog.tsx'
import { Switch } from './switch.tsx'

/** The list of keyboard shortcuts, a switch that turns them off, and links to more help. */
export const KeyHelp = ({ pages }: { pages: Readonly<Record<PageName, { title: () => string }>> }) => {
  const isShown = useStore(helpShown)
  const isOn = useStore(keysOn)
  if (!isShown) return null
  return (
    <Dialog title={t.nav.help} onClose={() => helpShown.set(false)}>
      <Switch isOn={isOn} onChange={chooseKeys} text={t.keys.on} />
      <dl class="key-list">
        {(
          [
            ['/', t.keys.search],
            ['n', t.common.create],
            ['j k', t.keys.rows],
            ['Enter', t.keys.open],
            ...Object.entries(goKeys).map(([key, page]) => [`g ${key}`, pages[page].title()] as const),
            ['?', t.keys.help],
          ] as const
        ).map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {t.keys.more}{' '}
        <a href={docsPath()} target="_blank" rel="noreferrer">
          {t.nav.docs}
        </a>
      </p>
    </Dialog>
  )
}

import { t } from '../core/language.ts'
import { refresh, useAction } from '../core/query.ts'
import { Trouble } from './basics.tsx'
import { Icon } from './icons.tsx'
import { announce } from './toasts.tsx'

/** What the Sandbox can make happen to the thing on the page. */
export const SandboxActions = ({
  of,
}: {
  of: readonly { readonly text: string; readonly act: () => Promise<unknown> }[]
}) => {
  const { run, isBusy, problem } = useAction(async (act: () => Promise<unknown>) => {
    await act()
    refresh('/v1/')
    announce(t.sandbox.done)
  })
  if (of.length === 0) return null
  return (
    <section class="sandbox-actions" aria-label={t.sandbox.simulate}>
      <span>
        <Icon name="flask" /> {t.sandbox.simulate}
      </span>
      {of.map(({ text, act }) => (
        <button key={text} type="button" class="jump" aria-busy={isBusy} onClick={() => void run(act)}>
          {text}
        </button>
      ))}
      <Trouble of={problem} />
    </section>
  )
}

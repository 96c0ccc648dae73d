import { t } from '../core/language.ts'
import { Trouble } from './basics.tsx'
import { Icon } from './icons.tsx'
import { useChange } from './toasts.tsx'

/** Something that the Sandbox can make happen. */
export type SandboxAction = { readonly text: string; readonly act: () => Promise<unknown> }

/** Buttons for the Sandbox's actions on the page's object. */
export const SandboxActions = ({ of }: { of: readonly SandboxAction[] }) => {
  const { run, isBusy, problem } = useChange((act: SandboxAction['act']) => act(), t.sandbox.done, '/v1/')
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

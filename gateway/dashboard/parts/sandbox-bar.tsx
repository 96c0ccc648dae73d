import { useEffect, useState } from 'preact/hooks'
import { post, problemOfError } from '../core/api.ts'
import { clockOffsetMs, useNow } from '../core/clock.ts'
import { moment } from '../core/format.ts'
import { t } from '../core/language.ts'
import { forgetAll, refresh, useAction, useGet } from '../core/query.ts'
import { pathTo } from '../core/router.ts'
import { can } from '../core/session.ts'
import { Copy, Trouble } from './basics.tsx'
import { ActionButton } from './buttons.tsx'
import { type Closable, Dialog } from './dialog.tsx'
import { Icon } from './icons.tsx'
import { advanceClock, type Lever, leverHeads, SandboxForm } from './sandbox-forms.tsx'
import { announce, done, useChange } from './toasts.tsx'

/** Says that nothing here is real, shows the Sandbox's time, and offers its levers to those who may use them. */
export const SandboxBar = () => {
  const clock = useGet('/v1/sandbox/clock', { isBackground: true })
  const nowMs = useNow()
  const [isOpen, setOpen] = useState(false)
  const mayChange = can('charges.create')
  const { data } = clock
  useEffect(() => {
    // A long jump goes on after its answer.
    if (data?.status !== 'ADVANCING') return
    const timer = setInterval(() => refresh('/v1/'), 1000)
    return () => clearInterval(timer)
  }, [data])
  const isAhead = Math.abs(clockOffsetMs()) > 60_000
  return (
    <section class="sandbox-bar" aria-label={t.environment.SANDBOX}>
      <strong class="sandbox-name">
        <Icon name="flask" /> SANDBOX
      </strong>
      <span class="sandbox-time">
        <span class="from-large">{t.sandbox.clock}</span>{' '}
        <time dateTime={new Date(nowMs).toISOString()}>
          <span class="from-large">{moment(nowMs, 'clock')}</span>
          <span class="until-large">{moment(nowMs, 'moment')}</span>
        </time>
        {isAhead && <span class="sandbox-ahead from-large">{t.sandbox.ahead}</span>}
      </span>
      <span class="sandbox-jumps">
        {data?.status === 'ADVANCING' ? (
          <span role="status">{t.sandbox.advancing}</span>
        ) : (
          mayChange && jumps.map(([by, text]) => <Jump key={by} by={by} text={text()} />)
        )}
      </span>
      {mayChange && (
        <button type="button" class="button quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="flask" /> <span class="from-large">{t.sandbox.tools}</span>
          <span class="until-large">{t.sandbox.toolsShort}</span>
        </button>
      )}
      {isOpen && <SandboxTools onClose={() => setOpen(false)} />}
    </section>
  )
}

const jumps = [
  ['PT1H', () => t.sandbox.hour],
  ['P1D', () => t.sandbox.day],
  ['P7D', () => t.sandbox.week],
  ['P1M', () => t.sandbox.month],
] as const

const Jump = ({ by, text }: { by: string; text: string }) => {
  const { run, isBusy } = useAction(async () => {
    await advanceClock({ by }).catch((error) => announce(problemOfError(error).message, 'trouble'))
  })
  return (
    <button
      type="button"
      class="jump"
      aria-label={t.sandbox.advanceBy(text)}
      aria-busy={isBusy}
      onClick={() => void run()}
    >
      +{text}
    </button>
  )
}

const SandboxTools = ({ onClose }: Closable) => {
  const reset = useChange(() => post('/v1/sandbox/clock/reset', {}), t.sandbox.clockReset, '/v1/')
  const drop = useAction(async () => {
    if (!confirm(t.sandbox.dropAsk)) return
    await post('/v1/sandbox/reset', {})
    forgetAll()
    done(t.sandbox.dropped, '/v1/')
    location.reload()
  })
  return (
    <Dialog
      title={t.sandbox.tools}
      onClose={onClose}
      isWide
      foot={
        <>
          <Trouble of={drop.problem} />
          <ActionButton of={drop} tone="danger" icon="trash" text={t.sandbox.drop} />
        </>
      }
    >
      <div class="tools-grid">
        {Object.entries(leverHeads()).map(([kind, [title, text]]) => (
          <section key={kind}>
            <h3>{title}</h3>
            <p class="hint">{text}</p>
            <SandboxForm kind={kind as Lever} />
            {kind === 'clock' && (
              <>
                <ActionButton of={reset} tone="quiet" icon="undo" text={t.sandbox.clockBack} />
                <Trouble of={reset.problem} />
              </>
            )}
          </section>
        ))}
      </div>
      <SandboxGuide />
      <p class="hint">
        <a href={pathTo('relogio')}>{t.sandbox.more}</a>
      </p>
    </Dialog>
  )
}

/** The values that force outcomes, of each kind. */
export const SandboxGuide = () => {
  const { scenarios, tokens, documents } = t.sandboxGuide
  return (
    <>
      <Scenarios title={t.sandbox.scenarios} note={t.sandbox.scenariosText} rows={scenarios} />
      <Scenarios title={t.sandbox.tokens} note={t.sandbox.tokensText} rows={tokens} />
      <Scenarios title={t.sandbox.documents} note={t.sandbox.documentsText} rows={documents} />
    </>
  )
}

type ScenariosProps = {
  title: string
  note: string
  rows: readonly { readonly value: string; readonly effect: string }[]
}

const Scenarios = ({ title, note, rows }: ScenariosProps) => (
  <details class="scenarios">
    <summary>
      {title} <span class="count">{rows.length}</span>
    </summary>
    <p class="hint">{note}</p>
    <dl>
      {rows.map(({ value, effect }) => (
        <div key={value}>
          <dt>
            <Copy text={value} />
          </dt>
          <dd>{effect.replaceAll('`', '')}</dd>
        </div>
      ))}
    </dl>
  </details>
)

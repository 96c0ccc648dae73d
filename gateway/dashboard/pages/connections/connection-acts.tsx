import { post, withId } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { refresh, useGet } from '../../core/query.ts'
import { PersonName } from '../../parts/actor.tsx'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Loading } from '../../parts/basics.tsx'
import { type Closable, Dialog, FormDialog } from '../../parts/dialog.tsx'
import { announce } from '../../parts/toasts.tsx'
import { certificateErrors } from './certificate-files.tsx'
import { type Connection, railsText } from './connection-labels.tsx'
import { saying } from './connection-texts.tsx'
import { SettingFields, settingsTyped } from './setting-fields.tsx'

export type ConnectionAct = 'activate' | 'suspend' | 'resume' | 'rotate' | 'restore' | 'retire'
type ActProps = Closable & { readonly of: Connection }

/** The dialog in which a person confirms an act. */
export const ActDialog = ({ act, ...props }: ActProps & { act: ConnectionAct }) => {
  switch (act) {
    case 'activate':
      return <ActivateDialog {...props} />
    case 'suspend':
      return (
        <AskAct
          {...props}
          act={act}
          title={saying.suspendTitle(props.of.providerLabel)}
          text={saying.suspendText}
          action={saying.suspend}
          done={saying.suspendedDone}
        />
      )
    case 'resume':
      return (
        <AskAct
          {...props}
          act={act}
          tone="main"
          title={saying.resumeTitle(props.of.providerLabel)}
          text={saying.resumeText}
          action={saying.resume}
          done={saying.resumed}
        />
      )
    case 'rotate':
      return <RotateDialog {...props} />
    case 'restore':
      return (
        <AskAct
          {...props}
          act={act}
          tone="main"
          title={saying.restore}
          text={saying.restoreText}
          action={saying.restore}
          done={saying.restored}
        />
      )
    case 'retire':
      return (
        <AskAct
          {...props}
          act={act}
          title={saying.retireTitle(props.of.providerLabel)}
          text={saying.retireText}
          action={saying.retire}
          done={saying.retiredDone}
        />
      )
  }
}

type AskActProps = ActProps & {
  act: Exclude<ConnectionAct, 'rotate' | 'activate'>
  title: string
  text: string
  action: string
  done: string
  tone?: 'main' | 'danger'
}

const AskAct = ({ act, of, done, ...rest }: AskActProps) => (
  <AskDialog
    {...rest}
    act={async () => {
      await signing(signedFacts(of), () => post(`/v1/connections/{id}/${act}`, withId(of.id)))
      changed(done)
    }}
  />
)

/** Where another person has to confirm, the first one’s request changes nothing yet. */
const ActivateDialog = ({ of, onClose }: ActProps) => {
  const { activationRequestedBy: by, rails } = of
  return (
    <AskDialog
      title={saying.activateTitle(of.providerLabel)}
      text={rails.every((rail) => rail === 'PAYOUT') ? saying.activateSendsText : saying.activateText}
      action={by === null ? saying.activate : saying.confirm}
      tone="main"
      act={async () => {
        const { status } = await signing(signedFacts(of), () =>
          post('/v1/connections/{id}/activate', withId(of.id)),
        )
        changed(status === 'ACTIVE' ? saying.activated : saying.requested)
      }}
      onClose={onClose}
    >
      <p class="hint">
        {by === null ? (
          rails.includes('PAYOUT') && saying.activateOutText
        ) : (
          <>
            <PersonName id={by} /> {saying.confirmText}
          </>
        )}
      </p>
    </AskDialog>
  )
}

const signedFacts = (of: Connection) =>
  [
    [saying.bank, of.providerLabel],
    [saying.rails, railsText(of)],
  ] as const

const changed = (text: string): void => {
  refresh('/v1/connections', '/v1/company/checklist', '/v1/overview', '/v1/audit')
  announce(text)
}

const RotateDialog = ({ of, onClose }: ActProps) => {
  const { data } = useGet('/v1/connections/providers')
  const provider = data?.data.find(({ name }) => name === of.provider)
  if (provider === undefined)
    return (
      <Dialog title={saying.rotate} onClose={onClose}>
        <Loading rows={4} />
      </Dialog>
    )
  return (
    <FormDialog
      title={saying.rotate}
      lead={saying.rotateText}
      submit={saying.rotate}
      isWide
      check={(values) => ({
        ...certificateErrors(values, false),
        ...(Object.keys(settingsTyped(provider, values)).length === 0 && {
          'settings.certificate': saying.rotateNothing,
        }),
      })}
      send={async (values) => {
        const settings = settingsTyped(provider, values)
        await signing(signedFacts(of), () =>
          post('/v1/connections/{id}/rotate', {
            ...withId(of.id),
            body: { settings: { ...otherForm(of, settings), ...settings } },
          }),
        )
        changed(saying.rotated)
      }}
      onClose={onClose}
    >
      <SettingFields of={provider} isRotation except={['pixKey']} />
    </FormDialog>
  )
}

/** A certificate in one form takes the place of one in the other, and of its passphrase. */
const otherForm = ({ settings }: Connection, given: object): Record<string, null> => {
  const replaced = 'pfx' in given ? ['certificate', 'privateKey'] : 'certificate' in given ? ['pfx'] : []
  const gone = [...replaced, ...(replaced.length > 0 ? ['passphrase'] : [])]
  return Object.fromEntries(
    settings.filter(({ name }) => gone.includes(name)).map(({ name }) => [name, null]),
  )
}

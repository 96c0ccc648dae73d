import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { now } from '../../core/clock.ts'
import { t } from '../../core/language.ts'
import { refresh } from '../../core/query.ts'
import { currentPlace } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Ago, Amount, Button, Facts, Moment, Section } from '../../parts/basics.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { base64Of, FileList, filesTooBig } from '../../parts/files.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { SandboxActions } from '../../parts/sandbox-actions.tsx'
import { announce } from '../../parts/toasts.tsx'

type Med = Schemas['Med']

/** A MED: what is at stake, until when to answer, the answer, and what can be asked for after it. */
export const MedCard = ({ of }: { of: Med }) => {
  const [open, setOpen] = useState<Answer | null>(null)
  const next = can('disputes.manage') ? answerTo(of) : null
  const { contest } = of
  return (
    <Section
      title={t.disputes.med}
      note={<Status is={of.status} of="dispute" />}
      actions={
        next && (
          <Button tone="main" icon="shield" onClick={() => setOpen(next)}>
            {next === 'defend' ? t.disputes.defend : t.disputes.contest}
          </Button>
        )
      }
    >
      <Facts
        of={[
          [t.common.amount, <Amount key="amount" of={of.amount} />],
          [t.disputes.blocked, <Amount key="blocked" of={of.blockedAmount} />],
          [
            t.disputes.returned,
            of.returnedAmount !== '0' && <Amount key="returned" of={of.returnedAmount} />,
          ],
          [t.transactions.reason, t.medReason[of.reason]],
          [t.disputes.details, of.details],
          [t.disputes.rootEndToEndId, of.rootEndToEndId && <code key="root">{of.rootEndToEndId}</code>],
          [t.disputes.openedAt, <Moment key="opened" at={of.openedAt} />],
          [t.disputes.analysisDue, <Due key="due" at={of.analysisDueAt} isRunning={of.status === 'OPEN'} />],
          [t.disputes.defense, of.defense && <Said key="defense" of={of.defense} />],
          [t.disputes.result, of.result && t.medResult[of.result]],
          [t.disputes.resolvedAt, of.closedAt && <Moment key="closed" at={of.closedAt} />],
          [
            t.disputes.contestUntil,
            of.contestUntil && <Due key="until" at={of.contestUntil} isRunning={contest === null} />,
          ],
          [t.disputes.contested, contest && <Said key="contest" of={contest} />],
          [
            t.disputes.contestResult,
            contest && (
              <>
                <Status is={contest.status} of="dispute" />
                {contest.resolvedAt && (
                  <>
                    {' '}
                    <Moment at={contest.resolvedAt} />
                  </>
                )}
              </>
            ),
          ],
        ]}
      />
      {currentPlace()?.environment === 'SANDBOX' && <Simulated of={of} />}
      {open && <AnswerDialog id={of.id} answer={open} onClose={() => setOpen(null)} />}
    </Section>
  )
}

type Answer = 'defend' | 'contest'

/** What the merchant can still say. */
const answerTo = ({ status, defense, contest, contestUntil }: Med): Answer | null => {
  if (status === 'OPEN') return defense === null ? 'defend' : null
  const isInTime = contestUntil !== null && Date.parse(contestUntil) >= now()
  return isInTime && contest === null ? 'contest' : null
}

const Due = ({ at, isRunning }: { at: string; isRunning: boolean }) => (
  <>
    <Moment at={at} />
    {isRunning && (
      <>
        {' · '}
        <Ago at={at} now={now} />
      </>
    )}
  </>
)

const Said = ({ of: { text, files, submittedAt } }: { of: NonNullable<Med['defense']> }) => (
  <>
    <q>{text}</q>
    <small class="sub">
      {[t.disputes.sentAt, ' ']}
      <Moment at={submittedAt} />
      {files.length > 0 && ` · ${files.map(({ name }) => name).join(', ')}`}
    </small>
  </>
)

/** What the banks would decide. */
const Simulated = ({ of: { id, status, contest } }: { of: Med }) => {
  const params = { path: { id } }
  if (status === 'OPEN')
    return (
      <SandboxActions
        of={(['ACCEPTED', 'REJECTED'] as const).map((result) => ({
          text: t.medResult[result],
          act: () => api.POST('/v1/sandbox/meds/{id}/close', { params, body: { result } }),
        }))}
      />
    )
  if (contest?.status !== 'UNDER_REVIEW') return null
  return (
    <SandboxActions
      of={(['WON', 'LOST'] as const).map((result) => ({
        text: t.statusOf.dispute[result],
        act: () => api.POST('/v1/sandbox/meds/{id}/contest/resolve', { params, body: { result } }),
      }))}
    />
  )
}

const AnswerDialog = ({ id, answer, onClose }: { id: string; answer: Answer; onClose: () => void }) => {
  const [files, setFiles] = useState<readonly File[]>([])
  const form = useForm(
    { text: '' },
    async ({ text }) => {
      const named = await Promise.all(
        files.map(async (file) => ({ name: file.name, content: await base64Of(file) })),
      )
      const options = { params: { path: { id } }, body: { text: text!, files: named } }
      await dataOf(
        answer === 'defend'
          ? api.POST('/v1/meds/{id}/defend', options)
          : api.POST('/v1/meds/{id}/contest', options),
      )
      refresh('/v1/')
      announce(answer === 'defend' ? t.disputes.sent : t.disputes.contestSent)
      onClose()
    },
    ({ text }) => ({
      text: (text ?? '').trim().length < 20 ? t.disputes.tooShort : null,
      files: filesTooBig(files) ? t.disputes.filesHint : null,
    }),
  )
  const texts =
    answer === 'defend'
      ? { title: t.disputes.defend, text: t.disputes.defendText, label: t.disputes.defense }
      : { title: t.disputes.contest, text: t.disputes.contestText, label: t.disputes.contested }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        of={form}
        submit={answer === 'defend' ? t.disputes.send : t.disputes.sendContest}
        onCancel={onClose}
      >
        <Field form={form} name="text" label={texts.label} lines={8} maxLength={5000} isFirst />
        <FileList files={files} onChange={setFiles} error={form.errorOf('files')} />
      </Form>
    </Dialog>
  )
}

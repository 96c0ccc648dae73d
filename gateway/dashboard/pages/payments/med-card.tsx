import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { t } from '../../core/language.ts'
import { isSandbox } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Ago, Button, Facts, Moment, Section } from '../../parts/basics.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountOf, amountOrNone, instant } from '../../parts/facts.tsx'
import { base64Of, FileList, filesTooBig } from '../../parts/files.tsx'
import { Field } from '../../parts/form.tsx'
import { Status, statusText } from '../../parts/labels.tsx'
import { SandboxActions } from '../../parts/sandbox-actions.tsx'

type Med = Schemas['Med']

/** A MED: the amount at stake, the deadline, the defense, and the contest that may follow it. */
export const MedCard = ({ of }: { of: Med }) => {
  const [open, setOpen] = useState<Answer | null>(null)
  const next = can('disputes.manage') ? answerTo(of) : null
  const { contest, contestUntil } = of
  return (
    <Section
      title={t.disputes.med}
      note={<Status is={of.status} of="med" />}
      actions={
        next && <Button tone="main" icon="shield" onClick={() => setOpen(next)} text={t.disputes[next]} />
      }
    >
      <Facts
        of={[
          [t.common.amount, amountOf(of.amount)],
          [t.disputes.blocked, amountOf(of.blockedAmount)],
          [t.disputes.returned, amountOrNone(of.returnedAmount)],
          [t.transactions.reason, t.medReason[of.reason]],
          [t.disputes.details, of.details],
          [t.disputes.rootEndToEndId, of.rootEndToEndId && <code key="root">{of.rootEndToEndId}</code>],
          [t.disputes.openedAt, instant(of.openedAt)],
          [t.disputes.analysisDue, <Due key="due" at={of.analysisDueAt} isRunning={of.status === 'OPEN'} />],
          [t.disputes.defense, of.defense && <Said key="defense" of={of.defense} />],
          [t.disputes.result, of.result && t.medResult[of.result]],
          [t.disputes.resolvedAt, instant(of.closedAt)],
          [
            t.disputes.contestUntil,
            contestUntil && <Due key="until" at={contestUntil} isRunning={contest === null} />,
          ],
          [t.disputes.contested, contest && <Said key="contest" of={contest} />],
          [
            t.disputes.contestResult,
            contest && (
              <>
                <Status is={contest.status} of="contest" />
                {contest.resolvedAt && [' ', instant(contest.resolvedAt)]}
              </>
            ),
          ],
        ]}
      />
      {isSandbox() && <Simulated of={of} />}
      {open && <AnswerDialog id={of.id} answer={open} onClose={() => setOpen(null)} />}
    </Section>
  )
}

type Answer = 'defend' | 'contest'

/** The answer that the merchant can still give. */
const answerTo = ({ status, defense, contest, contestUntil }: Med): Answer | null => {
  if (status === 'OPEN') return defense === null ? 'defend' : null
  const isInTime = contestUntil !== null && Date.parse(contestUntil) >= clockMs()
  return isInTime && contest === null ? 'contest' : null
}

/** A deadline, with the time that is left while it runs. */
export const Due = ({ at, isRunning }: { at: string; isRunning: boolean }) => (
  <>
    <Moment at={at} />
    {isRunning && (
      <>
        {' · '}
        <Ago at={at} clock={clockMs} />
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

/** The Sandbox's buttons for the decisions of the banks. */
const Simulated = ({ of: { id, status, contest } }: { of: Med }) => {
  if (status === 'OPEN')
    return (
      <SandboxActions
        of={(['ACCEPTED', 'REJECTED'] as const).map((result) => ({
          text: t.medResult[result],
          act: () => post('/v1/sandbox/meds/{id}/close', { ...withId(id), body: { result } }),
        }))}
      />
    )
  if (contest?.status !== 'UNDER_REVIEW') return null
  return (
    <SandboxActions
      of={(['WON', 'LOST'] as const).map((result) => ({
        text: statusText(result, 'contest'),
        act: () => post('/v1/sandbox/meds/{id}/contest/resolve', { ...withId(id), body: { result } }),
      }))}
    />
  )
}

const AnswerDialog = ({ id, answer, onClose }: Closable & { id: string; answer: Answer }) => {
  const [files, setFiles] = useState<readonly File[]>([])
  const isDefense = answer === 'defend'
  return (
    <FormDialog
      title={t.disputes[answer]}
      lead={isDefense ? t.disputes.defendText : t.disputes.contestText}
      submit={isDefense ? t.disputes.send : t.disputes.sendContest}
      done={isDefense ? t.disputes.sent : t.disputes.contestSent}
      values={{ text: '' }}
      check={({ text }) => ({
        text: tooShort(text),
        files: filesTooBig(files) ? t.disputes.filesHint : null,
      })}
      send={async ({ text }) =>
        post(`/v1/meds/{id}/${answer}`, {
          ...withId(id),
          body: { text: text!, files: await Promise.all(files.map(fileOf)) },
        })
      }
      changes="/v1/"
      onClose={onClose}
    >
      {({ errorOf }) => (
        <>
          <DefenseField label={isDefense ? t.disputes.defense : t.disputes.contested} />
          <FileList files={files} onChange={setFiles} error={errorOf('files')} />
        </>
      )}
    </FormDialog>
  )
}

const fileOf = async (file: File) => ({ name: file.name, content: await base64Of(file) })

/** The text field of a defense. */
export const DefenseField = ({ label }: { label: string }) => (
  <Field name="text" label={label} lines={8} maxLength={5000} isFirst />
)

/** The error of a defense shorter than 20 characters. */
export const tooShort = (text: string | undefined): string | null =>
  (text ?? '').trim().length < 20 ? t.disputes.tooShort : null

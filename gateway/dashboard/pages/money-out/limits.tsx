import type { ComponentChildren } from 'preact'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { amountText, amountTyped, moment, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { currentPlace } from '../../core/router.ts'
import { can, sessionStore } from '../../core/session.ts'
import { Badge, Button, Empty, Facts, Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Decide } from '../../parts/decide.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import {
  amountError,
  Check,
  Choice,
  Field,
  Form,
  type FormState,
  MoneyField,
  requiredError,
  useForm,
  type Values,
} from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { announce } from '../../parts/toasts.tsx'
import { ownTexts } from '../../parts/with-texts.tsx'
import type { LimitTexts } from '../../texts/limits-pt.ts'

type ControlChange = Schemas['ControlChange']
type Control = ControlChange['fields'][number]['field']
type PendingControl = Schemas['PendingControl']

const ofPolicy = [
  'enabled',
  'thresholdAmount',
  'personDailyAmount',
  'newBeneficiaryAmount',
  'required',
  'expiresAfterHours',
] as const satisfies readonly Control[]
const ofLimits = [
  'pixDayAmount',
  'pixNightAmount',
  'nightStartsAt',
  'tedDayAmount',
  'cryptoDayAmount',
  'newBeneficiaryDayAmount',
  'pixTransferAmount',
  'tedTransferAmount',
] as const satisfies readonly Control[]

let ours: LimitTexts

const { withTexts } = ownTexts(
  {
    en: async (): Promise<LimitTexts> => (await import('../../texts/limits-en.ts')).limitsEn,
    'pt-BR': async () => (await import('../../texts/limits-pt.ts')).limitsPt,
  },
  (texts) => {
    ours = texts
  },
)

const Limits = () => {
  const policy = useGet('/v1/company/approval-policy')
  const limits = useGet('/v1/company/limits')
  const { data: team } = useGet('/v1/team')
  const changes = useList('/v1/company/changes', [])
  const dialog = useDialog(changes.filters)
  const isManager = can('limits.manage')
  const me = sessionStore.get()?.person.id
  const environment = currentPlace()!.environment
  const othersWith = (permission: string): number =>
    (team?.members ?? []).filter(
      ({ personId, permissions }) => personId !== me && permissions[environment].includes(permission),
    ).length
  const nameOf = (id: string | null): string =>
    team?.members.find(({ personId }) => personId === id)?.name ?? id ?? ''

  const edit = (name: string, title: string) =>
    isManager && (
      <Button icon="edit" aria-label={`${t.common.edit}: ${title}`} onClick={() => dialog.show(name)}>
        {t.common.edit}
      </Button>
    )
  // What the dialogs warn of depends on both.
  const isKnown = policy.data !== null && limits.data !== null
  const shared = {
    onClose: dialog.close,
    hasApprover: othersWith('limits.manage') > 0,
    // At most one change is pending, whether of the policy or of the limits.
    hasPending: [policy.data, limits.data].some((one) => one !== null && one.pending.length > 0),
  }
  return (
    <Page title={t.nav.limitsTitle} lead={isManager ? ours.lead : `${ours.lead} ${ours.readOnly}`}>
      <div class="cards">
        <Section title={ours.policy} actions={edit('politica', ours.policy)}>
          <Trouble of={policy.problem} retry={policy.refresh} />
          {policy.isLoading && <Loading rows={10} />}
          {policy.data && (
            <>
              {policy.data.enabled && team && othersWith('transfers.approve') < policy.data.required && (
                <p class="notice-line warn">{ours.fewPeople(othersWith('transfers.approve'))}</p>
              )}
              <Controls of={policy.data} fields={ofPolicy} pending={policy.data.pending} />
              {isManager && isKnown && dialog.open === 'politica' && (
                <PolicyDialog of={policy.data} {...shared} />
              )}
            </>
          )}
        </Section>
        <Section title={ours.limits} actions={edit('limites', ours.limits)}>
          <Trouble of={limits.problem} retry={limits.refresh} />
          {limits.isLoading && <Loading rows={10} />}
          {limits.data && (
            <>
              <Controls
                of={limits.data}
                fields={ofLimits}
                pending={limits.data.pending}
                usage={limits.data.usage}
              />
              {isManager && isKnown && dialog.open === 'limites' && (
                <LimitsDialog of={limits.data} {...shared} />
              )}
            </>
          )}
        </Section>
      </div>
      <h2 class="gap">{ours.changes}</h2>
      <List
        label={ours.changes}
        query={changes}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'asked',
            title: ours.askedBy,
            cell: ({ requestedBy, createdAt }) => (
              <>
                {nameOf(requestedBy)}
                <small class="sub">
                  <Moment at={createdAt} />
                </small>
              </>
            ),
          },
          {
            id: 'status',
            title: t.common.status,
            cell: ({ status, effectiveAt }) => (
              <>
                <Status is={status} of="change" />
                {effectiveAt && <small class="sub">{ours.from(moment(effectiveAt))}</small>}
              </>
            ),
          },
          { id: 'what', title: ours.change, cell: ({ fields }) => <Changed fields={fields} /> },
          {
            id: 'decided',
            title: ours.decidedBy,
            from: 'wide',
            cell: ({ decidedBy, decidedAt }) =>
              decidedAt && (
                <>
                  {nameOf(decidedBy)}
                  <small class="sub">
                    <Moment at={decidedAt} />
                  </small>
                </>
              ),
          },
          {
            id: 'act',
            title: '',
            align: 'end',
            cell: ({ id, status, requestedBy, fields }) =>
              isManager &&
              (status === 'PENDING_APPROVAL' || status === 'SCHEDULED') && (
                <span class="row-acts">
                  <Decide
                    name={fields.map(({ field }) => ours.field[field]).join(', ')}
                    isOwn={requestedBy === me || status === 'SCHEDULED'}
                    act={async (verdict) => {
                      await dataOf(
                        api.POST(`/v1/company/changes/{id}/${verdict}`, { params: { path: { id } } }),
                      )
                      onChanged(t.decide.done[verdict])
                    }}
                  />
                </span>
              ),
          },
        ]}
        empty={
          <Empty icon="gauge" title={ours.none}>
            {ours.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

/** The approval policy, the limits of money out, and pending changes that relax either. */
export const LimitsPage = withTexts(() => t.nav.limitsTitle, Limits)

const onChanged = (text: string): void => {
  refresh('/v1/company/')
  announce(text)
}

/** How the API writes the missing upper bound of a single transfer. */
const noBound = 'NONE'
const isOptional = (field: Control): boolean => field === 'pixTransferAmount' || field === 'tedTransferAmount'

/** A value of the API as a text. */
const written = (value: string | number | boolean | null | undefined): string => String(value ?? noBound)

/** A value as people read it. */
const textOf = (field: Control, value: string): string => {
  if (value === noBound) return ours.noBound
  if (field.endsWith('Amount')) return money(value)
  if (field === 'enabled') return value === 'true' ? t.common.yes : t.common.no
  if (field === 'expiresAfterHours') return `${value} h`
  return field === 'nightStartsAt' ? ours.night(value) : value
}

/** The values in force, how much of each is used, and their pending changes. */
const Controls = ({
  of,
  fields,
  pending,
  usage = {},
}: {
  of: Partial<Record<Control, string | number | boolean | null>>
  fields: readonly Control[]
  pending: readonly PendingControl[]
  usage?: Partial<Record<Control, string>>
}) => (
  <Facts
    of={fields.map((field): readonly [string, ComponentChildren] => {
      const value = written(of[field])
      const used = usage[field]
      const next = pending.find((one) => one.field === field)
      return [
        ours.field[field],
        <>
          {textOf(field, value)}
          {used !== undefined && (
            <>
              <meter
                value={Number(used)}
                max={Math.max(1, Number(value))}
                aria-label={ours.used(money(used))}
              />
              <small class="sub">{ours.used(money(used))}</small>
            </>
          )}
          {next && (
            <small class="sub warn-text">
              {ours.next(textOf(field, next.value), next.effectiveAt && moment(next.effectiveAt))}
            </small>
          )}
        </>,
      ]
    })}
  />
)

const Changed = ({ fields }: { fields: ControlChange['fields'] }) => (
  <ul class="changes">
    {fields.map(({ field, before, after }) => (
      <li key={field}>
        {ours.field[field]}: {textOf(field, before)} → <strong>{textOf(field, after)}</strong>
      </li>
    ))}
  </ul>
)

type DialogProps<Of> = { of: Of; onClose: () => void; hasApprover: boolean; hasPending: boolean }

const PolicyDialog = ({ of, ...rest }: DialogProps<Schemas['ApprovalPolicy']>) => (
  <ControlsDialog
    {...rest}
    title={ours.policy}
    of={of}
    fields={ofPolicy}
    send={(wanted) =>
      dataOf(
        api.PUT('/v1/company/approval-policy', {
          body: {
            enabled: wanted.enabled === 'true',
            thresholdAmount: wanted.thresholdAmount,
            personDailyAmount: wanted.personDailyAmount,
            newBeneficiaryAmount: wanted.newBeneficiaryAmount,
            required: Number(wanted.required),
            expiresAfterHours: Number(wanted.expiresAfterHours),
          },
        }),
      )
    }
  />
)

const LimitsDialog = ({ of, ...rest }: DialogProps<Schemas['Limits']>) => (
  <ControlsDialog
    {...rest}
    title={ours.limits}
    of={of}
    fields={ofLimits}
    send={(wanted) =>
      dataOf(
        api.PUT('/v1/company/limits', {
          body: {
            ...wanted,
            nightStartsAt: wanted.nightStartsAt as Schemas['Limits']['nightStartsAt'],
            pixTransferAmount: boundOf(wanted.pixTransferAmount),
            tedTransferAmount: boundOf(wanted.tedTransferAmount),
          },
        }),
      )
    }
  />
)

const boundOf = (amount: string): string | null => (amount === noBound ? null : amount)

/** A form that shows, before it is sent, which changes apply at once and which have to wait. */
const ControlsDialog = <Name extends Control>({
  title,
  of,
  fields,
  send,
  hasApprover,
  hasPending,
  onClose,
}: DialogProps<Record<Name, string | number | boolean | null>> & {
  title: string
  fields: readonly Name[]
  send: (wanted: Record<Name, string>) => Promise<unknown>
}) => {
  const present = Object.fromEntries(fields.map((field) => [field, written(of[field])])) as Record<
    Name,
    string
  >
  const form = useForm(
    Object.fromEntries(fields.map((field) => [field, typedOf(field, present[field])])),
    async (values) => {
      const wanted = wantedOf(fields, values)
      const waits = fields.some((field) => effectOf(field, present[field], wanted[field]) === 'looser')
      await send(wanted)
      onChanged(waits ? ours.waits(hasApprover) : t.common.saved)
      onClose()
    },
    (values) =>
      Object.fromEntries(
        fields
          .filter(
            (field) => field !== 'enabled' && !(isOptional(field) && (values[field] ?? '').trim() === ''),
          )
          .map((field) => [field, errorOf(field, values[field])]),
      ),
  )
  const wanted = wantedOf(fields, form.values)
  const changed = fields.filter((field) => effectOf(field, present[field], wanted[field]) !== 'none')
  return (
    <Dialog title={title} onClose={onClose}>
      {hasPending && <p class="notice-line warn">{ours.pendingText}</p>}
      <Form of={form} submit={t.common.save} onCancel={onClose}>
        {fields.map((field) => (
          <ControlField key={field} form={form} field={field} />
        ))}
        <div role="status" class="effects">
          {changed.length === 0 && <p class="hint">{ours.unchanged}</p>}
          <ul class="changes">
            {changed.map((field) => (
              <li key={field}>
                {ours.field[field]}: {textOf(field, present[field])} →{' '}
                <strong>{textOf(field, wanted[field])}</strong>{' '}
                {effectOf(field, present[field], wanted[field]) === 'stricter' ? (
                  <Badge tone="good">{ours.atOnce}</Badge>
                ) : (
                  <Badge tone="wait">{ours.later(hasApprover)}</Badge>
                )}
              </li>
            ))}
          </ul>
        </div>
      </Form>
    </Dialog>
  )
}

/** A value as a field of the form has it. */
const typedOf = (field: Control, value: string): string => {
  if (value === noBound) return ''
  return isAmount(field) ? amountText(value) : value
}

const isAmount = (field: Control): boolean => field.endsWith('Amount')

/** Zero is a valid amount: it blocks all money out. */
const errorOf = (field: Control, text: string | undefined): string | null =>
  isAmount(field) ? amountError(text, { mayBeZero: true }) : requiredError(text)

/** The form's values as the API writes them; unreadable ones are empty. */
const wantedOf = <Name extends Control>(fields: readonly Name[], values: Values): Record<Name, string> =>
  Object.fromEntries(
    fields.map((field) => {
      const typed = values[field] ?? ''
      if (field === 'enabled') return [field, String(typed === 'true')]
      if (isOptional(field) && typed.trim() === '') return [field, noBound]
      return [field, isAmount(field) ? (amountTyped(typed).units ?? '') : typed.trim()]
    }),
  ) as Record<Name, string>

/**
 * Compares a new value with the present one. Turning approval on and requiring more approvals is stricter; every
 * other value is stricter when lower, and no bound is loosest.
 */
const effectOf = (field: Control, present: string, wanted: string): 'none' | 'stricter' | 'looser' => {
  if (wanted === present || wanted === '') return 'none'
  if (present === noBound || wanted === noBound) return present === noBound ? 'stricter' : 'looser'
  const isMore = /^\d+$/.test(present) ? BigInt(wanted) > BigInt(present) : wanted > present
  const isMoreStrict = field === 'enabled' || field === 'required'
  return isMore === isMoreStrict ? 'stricter' : 'looser'
}

const ControlField = ({ form, field }: { form: FormState; field: Control }) => {
  const { [field]: hint = undefined } = ours.hint as Partial<Record<Control, string>>
  const props = { form, name: field, label: ours.field[field], hint }
  if (isAmount(field)) return <MoneyField {...props} isOptional={isOptional(field)} />
  if (field === 'enabled') return <Check {...props} />
  if (field === 'expiresAfterHours') return <Field {...props} type="number" min={1} max={720} />
  return (
    <Choice
      {...props}
      of={(field === 'required' ? ['1', '2', '3'] : ['20:00', '22:00']).map((value) => [
        value,
        textOf(field, value),
      ])}
    />
  )
}

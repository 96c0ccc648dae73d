import { useEffect } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { onChangeOf } from '../../core/live.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import {
  Ago,
  Badge,
  Button,
  Empty,
  Facts,
  Loading,
  Moment,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice, Field, Form, requiredError, useForm } from '../../parts/form.tsx'
import { optionsOf } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { pageOf } from '../../parts/page-of.ts'
import { announce } from '../../parts/toasts.tsx'

type Ticket = Schemas['Ticket']

/** Tickets with the people who run the service. */
export const Support = () => {
  const query = useList('/v1/support/tickets', ['status', 'from', 'to'])
  const dialog = useDialog(query.filters)
  const create = can('support.manage') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.support.create}
    </Button>
  )
  return (
    <Page title={t.nav.support} lead={t.support.lead} actions={create}>
      <List
        label={t.nav.support}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`suporte/${id}`)}
        nameOf={({ subject }) => subject}
        filterBy={[
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(['OPEN', 'WAITING_COMPANY', 'CLOSED'], (status) => t.support.status[status]),
          },
          { kind: 'period' },
        ]}
        columns={[
          {
            id: 'subject',
            title: t.support.subject,
            cell: ({ number, subject }) => (
              <>
                <span class="muted">#{number}</span> <strong>{subject}</strong>
              </>
            ),
          },
          { id: 'status', title: t.common.status, cell: ({ status }) => <State is={status} /> },
          {
            id: 'category',
            title: t.support.category,
            from: 'medium',
            cell: ({ category, priority }) => (
              <>
                {t.support.categories[category]}
                {priority === 'URGENT' && <small class="sub warn-text">{t.support.urgent}</small>}
              </>
            ),
          },
          {
            id: 'due',
            title: t.support.due,
            from: 'medium',
            cell: ({ firstAnswerDueAt, messages }) =>
              messages.some(({ author }) => author === 'STAFF') ? (
                t.support.answered
              ) : (
                <Ago at={firstAnswerDueAt} />
              ),
          },
          {
            id: 'createdAt',
            title: t.common.createdAt,
            align: 'end',
            from: 'wide',
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
        ]}
        empty={
          <Empty icon="help" title={t.support.none} actions={create}>
            {t.support.noneText}
          </Empty>
        }
      />
      {dialog.open && <TicketDialog about={dialog.open === '1' ? '' : dialog.open} onClose={dialog.close} />}
    </Page>
  )
}

/** Whose turn it is. */
const State = ({ is }: { is: Ticket['status'] }) => (
  <Badge tone={is === 'OPEN' ? 'wait' : is === 'CLOSED' ? 'gone' : 'warn'}>{t.support.status[is]}</Badge>
)

const TicketDialog = ({ about, onClose }: { about: string; onClose: () => void }) => {
  const form = useForm(
    { subject: '', category: 'PAYMENT', priority: 'NORMAL', objectIds: about, text: '' },
    async (values) => {
      const made = await dataOf(
        api.POST('/v1/support/tickets', {
          body: {
            subject: values.subject!.trim(),
            category: values.category as Ticket['category'],
            priority: values.priority as Ticket['priority'],
            objectIds: values.objectIds!.split(/[\s,;]+/).filter(Boolean),
            text: values.text!.trim(),
          },
        }),
      )
      refresh('/v1/support')
      navigate(pathTo(`suporte/${made.id}`))
    },
    ({ subject, text }) => ({ subject: requiredError(subject), text: requiredError(text) }),
  )
  return (
    <Dialog title={t.support.create} onClose={onClose}>
      <Form of={form} submit={t.support.send} onCancel={onClose}>
        <Field form={form} name="subject" label={t.support.subject} isFirst maxLength={120} />
        <div class="form-row">
          <Choice
            form={form}
            name="category"
            label={t.support.category}
            of={Object.entries(t.support.categories)}
          />
          <Choice
            form={form}
            name="priority"
            label={t.support.priority}
            of={Object.entries(t.support.priorities)}
          />
        </div>
        <Field
          form={form}
          name="objectIds"
          label={t.support.ids}
          hint={t.support.idsHint}
          isOptional
          autoComplete="off"
        />
        <Field
          form={form}
          name="text"
          label={t.support.text}
          hint={t.support.textHint}
          lines={6}
          maxLength={5000}
        />
      </Form>
    </Dialog>
  )
}

/** One ticket, as a conversation. */
export const TicketPage = ({ id }: { id: string }) => {
  const { data, problem, refresh: again, poll } = useGet('/v1/support/tickets/{id}', { path: { id } })
  const params = { path: { id } }
  useEffect(() => onChangeOf(id, poll), [id])
  const form = useForm(
    { text: '' },
    async ({ text }) => {
      await dataOf(api.POST('/v1/support/tickets/{id}/messages', { params, body: { text: text!.trim() } }))
      form.set('text', '')
      refresh('/v1/support')
    },
    ({ text }) => ({ text: requiredError(text) }),
  )
  const close = useAction(async () => {
    await dataOf(api.POST('/v1/support/tickets/{id}/close', { params }))
    refresh('/v1/support')
    announce(t.support.closed)
  })
  const back = { href: pathTo('suporte'), text: t.nav.support }
  if (problem || !data)
    return (
      <Page title={t.nav.support} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  return (
    <Page
      back={back}
      title={
        <>
          {data.subject} <State is={data.status} />
        </>
      }
      lead={`#${data.number}`}
      actions={
        data.status !== 'CLOSED' &&
        can('support.manage') && (
          <Button icon="check" isBusy={close.isBusy} onClick={() => void close.run()}>
            {t.support.close}
          </Button>
        )
      }
    >
      <Trouble of={close.problem} />
      <div class="split-page">
        <div>
          <ol class="messages">
            {data.messages.map(({ author, name, text, at }) => (
              <li key={at} class={author === 'STAFF' ? 'section staff' : 'section'}>
                <p class="hint">
                  <strong>{name ?? t.erasedPerson}</strong> · <Moment at={at} />
                </p>
                <p class="plain-text">{text}</p>
              </li>
            ))}
          </ol>
          {can('support.manage') && (
            <Section title={t.support.answer}>
              <Form of={form} submit={t.support.send}>
                <Field form={form} name="text" label={t.support.text} lines={4} maxLength={5000} />
              </Form>
            </Section>
          )}
        </div>
        <Section title={t.transactions.details}>
          <Facts
            of={[
              [t.support.category, t.support.categories[data.category]],
              [t.support.priority, t.support.priorities[data.priority]],
              [t.support.due, <Moment key="due" at={data.firstAnswerDueAt} />],
              [
                t.support.ids,
                data.objectIds.map((objectId) => {
                  const page = pageOf(objectId)
                  return page === null ? (
                    <code key={objectId}>{objectId}</code>
                  ) : (
                    <a key={objectId} href={pathTo(page)}>
                      {objectId}
                    </a>
                  )
                }),
              ],
            ]}
          />
        </Section>
      </div>
    </Page>
  )
}

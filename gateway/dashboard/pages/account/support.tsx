import { useEffect } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { onChangeOf } from '../../core/live.ts'
import { refresh, useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Ago, Empty, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { FactSection, instant, linkTo } from '../../parts/facts.tsx'
import { period, statusFilter } from '../../parts/filter.ts'
import { Choice, Field, Form, type FormState, required, useForm } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { momentColumn, statusColumn } from '../../parts/table.tsx'
import { useChange } from '../../parts/toasts.tsx'

type Ticket = Schemas['Ticket']

/** Tickets with the people who run the service. */
export const Support = () => {
  const query = useList('/v1/support/tickets', ['status', 'from', 'to'])
  const dialog = useDialog(query.filters)
  const create = createButton('support.manage', t.support.create, dialog.show)
  return (
    <ListPage
      title={t.nav.support}
      lead={t.support.lead}
      actions={create}
      query={query}
      hrefOf={({ id }) => pathTo(`suporte/${id}`)}
      nameOf={({ subject }) => subject}
      filterBy={[statusFilter(['OPEN', 'WAITING_COMPANY', 'CLOSED'], 'ticket'), period]}
      columns={[
        [
          'subject',
          t.support.subject,
          ({ number, subject }) => (
            <>
              <span class="muted">#{number}</span> <strong>{subject}</strong>
            </>
          ),
        ],
        statusColumn('ticket'),
        [
          'category',
          t.support.category,
          ({ category, priority }) => (
            <>
              {t.support.categories[category]}
              {priority === 'URGENT' && <small class="sub warn-text">{t.support.urgent}</small>}
            </>
          ),
          'medium',
        ],
        [
          'due',
          t.support.due,
          ({ firstAnswerDueAt, messages }) =>
            messages.some(({ author }) => author === 'STAFF') ? (
              t.support.answered
            ) : (
              <Ago at={firstAnswerDueAt} />
            ),
          'medium',
        ],
        momentColumn('createdAt', t.common.createdAt, 'end'),
      ]}
      empty={<Empty icon="help" title={t.support.none} text={t.support.noneText} actions={create} />}
    >
      {dialog.open && <TicketDialog about={dialog.open === '1' ? '' : dialog.open} onClose={dialog.close} />}
    </ListPage>
  )
}

const TicketDialog = ({ about, onClose }: Closable & { about: string }) => (
  <FormDialog
    title={t.support.create}
    submit={t.hooks.send}
    values={{ subject: '', category: 'PAYMENT', priority: 'NORMAL', objectIds: about, text: '' }}
    check={required('subject', 'text')}
    send={(values) =>
      post('/v1/support/tickets', {
        body: {
          subject: values.subject!.trim(),
          category: values.category as Ticket['category'],
          priority: values.priority as Ticket['priority'],
          objectIds: values.objectIds!.split(/[\s,;]+/).filter(Boolean),
          text: values.text!.trim(),
        },
      })
    }
    changes="/v1/support"
    opens={({ id }) => `suporte/${id}`}
    onClose={onClose}
  >
    <Field name="subject" label={t.support.subject} isFirst maxLength={120} />
    <div class="form-row">
      <Choice name="category" label={t.support.category} of={Object.entries(t.support.categories)} />
      <Choice name="priority" label={t.support.priority} of={Object.entries(t.support.priorities)} />
    </div>
    <Field name="objectIds" label={t.support.ids} hint={t.support.idsHint} isOptional autoComplete="off" />
    <Field name="text" label={t.support.text} hint={t.support.textHint} lines={6} maxLength={5000} />
  </FormDialog>
)

/** One ticket, as a conversation. */
export const TicketPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/support/tickets/{id}', { path: { id } })
  const { data, problem, poll } = query
  useEffect(() => onChangeOf(id, poll), [id])
  const message = useMessage(id)
  const close = useChange(
    () => post('/v1/support/tickets/{id}/close', withId(id)),
    t.support.closed,
    '/v1/support',
  )
  const back = { href: pathTo('suporte'), text: t.nav.support }
  if (problem || !data) return <Page title={t.nav.support} back={back} unread={query} />
  const isManager = can('support.manage')
  return (
    <Page
      back={back}
      title={data.subject}
      status={<Status is={data.status} of="ticket" />}
      lead={`#${data.number}`}
      actions={
        data.status !== 'CLOSED' &&
        isManager && <ActionButton of={close} icon="check" text={t.support.close} />
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
          {isManager && (
            <Section title={t.support.answer}>
              <Form of={message} submit={t.hooks.send}>
                <Field name="text" label={t.support.text} lines={4} maxLength={5000} />
              </Form>
            </Section>
          )}
        </div>
        <FactSection
          of={[
            [t.support.category, t.support.categories[data.category]],
            [t.support.priority, t.support.priorities[data.priority]],
            [t.support.due, instant(data.firstAnswerDueAt)],
            [t.support.ids, data.objectIds.map((objectId) => linkTo(objectId, objectId))],
          ]}
        />
      </div>
    </Page>
  )
}

/** The draft of a message, kept when the ticket cannot be read again. */
const useMessage = (id: string): FormState => {
  const form = useForm(
    { text: '' },
    async ({ text }) => {
      await post('/v1/support/tickets/{id}/messages', { ...withId(id), body: { text: text!.trim() } })
      form.set('text', '')
      refresh('/v1/support')
    },
    required('text'),
  )
  return form
}

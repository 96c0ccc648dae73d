import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Button, copy, LinkButton, Loading, Page, Trouble } from '../../parts/basics.tsx'

/** Every type of event: when it is sent, and what a receiver gets. */
export const Events = () => {
  const types = useGet('/v1/webhooks/event-types')
  return (
    <Page
      title={t.nav.events}
      lead={t.events.lead}
      actions={<LinkButton icon="webhook" href={pathTo('webhooks')} text={t.nav.webhooks} />}
    >
      <Trouble of={types.problem} retry={types.refresh} />
      {types.isLoading && <Loading rows={10} />}
      {types.data?.data.map(({ type, sample }) => {
        const json = JSON.stringify(sample, null, 2)
        return (
          <details key={type} class="event-type">
            <summary>
              <code>{type}</code> <span class="muted">{t.events.meaning[type]}</span>
            </summary>
            <pre class="code">{json}</pre>
            <div class="actions">
              <Button
                icon="copy"
                aria-label={`${t.common.copy} ${type}`}
                onClick={() => void copy(json)}
                text={t.common.copy}
              />
              <LinkButton icon="send" href={pathTo(`entregas?type=${type}`)} text={t.nav.deliveries} />
            </div>
          </details>
        )
      })}
    </Page>
  )
}

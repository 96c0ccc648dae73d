import { useState } from 'preact/hooks'
import type { Schemas } from '../core/api.ts'
import { docsPath } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import { currentPlace, type PageName, pathTo } from '../core/router.ts'
import { can } from '../core/session.ts'
import { IconButton } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { saying, useConnectionTexts } from './connections/connection-texts.tsx'

type Step = Schemas['GoLiveChecklist']['steps'][number]['step']

/** The page where a step is done. */
const pageOf: Readonly<Record<Step, PageName>> = {
  CONNECTION: 'conexoes',
  CERTIFICATE: 'conexoes',
  NOTICES: 'conexoes',
  PAYOUT: 'conexoes',
  KEY: 'chaves',
  ENDPOINT: 'webhooks',
  SECOND_PERSON: 'equipe',
  CONTACT: 'empresa',
  ADDRESS: 'empresa',
  BANK_ACCOUNT: 'empresa',
  LOGO: 'empresa',
}

/**
 * What is missing before Production takes payments: a bank, which the operator connects, and what the company does itself. It is gone
 * once all is done; the company's own part also when it was put away in this browser.
 */
export const GoLive = ({ connected }: { connected: readonly string[] }) => {
  const { companyId } = currentPlace()!
  const [isAway, setAway] = useState(localStorage.getItem(awayKey) === companyId)
  const isAsked = can('company.manage') && !isAway
  const checklist = useGet(isAsked ? '/v1/company/checklist' : null)
  const { areThere } = useConnectionTexts()
  const steps = checklist.data?.steps ?? []
  const isConnected = connected.length > 0
  const isDone = steps.every(({ isDone }) => isDone)
  if ((isConnected && isDone) || !areThere) return null
  return (
    <section class="section go-live">
      {!isConnected && (
        <p class="notice-line warn">
          {saying.goLive.noBank} <a href={`${docsPath()}/going-live`}>{saying.goLive.how}</a>
        </p>
      )}
      {!isDone && isAsked && (
        <>
          <header class="section-head">
            <h2>{saying.goLive.title}</h2>
            <span class="note">
              {saying.goLive.done(steps.filter(({ isDone }) => isDone).length, steps.length)}
            </span>
            <div class="actions">
              <IconButton
                icon="x"
                name={saying.goLive.dismiss}
                onClick={() => {
                  localStorage.setItem(awayKey, companyId)
                  setAway(true)
                }}
              />
            </div>
          </header>
          <ul class="to-do">
            {steps.map(({ step, isDone, connectionId }) => (
              <li key={step} class={isDone ? 'done' : undefined}>
                <a href={pathTo(connectionId === null ? pageOf[step] : `conexoes/${connectionId}`)}>
                  <Icon name={isDone ? 'check' : 'right'} />
                  <span>
                    {saying.goLive.step[step]}
                    {isDone && <span class="visually-hidden">: {saying.goLive.isDone}</span>}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const awayKey = 'go-live-away'

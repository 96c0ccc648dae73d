import type { PortalSessionId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<PortalSessionId>(), atMs: number() }

export const portalSessionFacts = {
  PortalOpened: [1, { ...head, portal: json() }],
  PortalMailQueued: [2, head],
  PortalEntered: [3, head],
} satisfies FactLayouts<'portalSession'>

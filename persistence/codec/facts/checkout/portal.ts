import type { PortalSessionId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

export const portalSessionFacts = {
  PortalOpened: [1, { id: text<PortalSessionId>(), atMs: number(), portal: json() }],
} satisfies FactLayouts<'portalSession'>

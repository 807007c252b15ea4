import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'

interface Env {
  PLAIN: DurableObjectNamespace<Plain>
}

const body = z.strictObject({
  start_time: z.string(),
  timezone: z.string(),
  invitee_email: z.email(),
  invitee_name: z.string().max(100),
  confirm: z.boolean(),
})

/** An object that is only asked: no storage. */
export class Plain extends DurableObject {
  taken(_from: number, _to: number): number[] {
    return []
  }
}

/** One JSON body parsed and validated; under /rpc with one call of an object besides. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const parsed = body.safeParse(await request.json())
    if (!parsed.success) return new Response('', { status: 400 })
    if (!request.url.endsWith('/rpc')) return Response.json({ ok: true, ...parsed.data })
    const taken = await env.PLAIN.get(env.PLAIN.idFromName('plain')).taken(0, 1)
    return Response.json({ ok: true, taken, ...parsed.data })
  },
} satisfies ExportedHandler<Env>

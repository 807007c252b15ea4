// An agent of the AI SDK that books consults over MCP: it shows a preview, and commits after a person's yes.
//   npm install ai @ai-sdk/mcp @ai-sdk/anthropic
//   const agent = await agentOf(anthropic('claude-sonnet-4-5'), 'https://connector.example.com', process.env.CONNECTOR_API_KEY)
//   console.log(await agent.say('Book a consult for Jordan Doe, jordan@example.com, tomorrow at ten.'))
import { createMCPClient } from '@ai-sdk/mcp'
import { type LanguageModel, type ModelMessage, generateText, isStepCount } from 'ai'

const INSTRUCTIONS = `You book consults. Preview each change with confirm=false and show the preview to the person.
Commit it, with the same idempotency_key, only after the person has said yes to that preview.`

/** A conversation with an agent that has the tools of the connector. */
export async function agentOf(model: LanguageModel, url: string, key?: string) {
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const client = await createMCPClient({ transport: { type: 'http', url: `${url}/mcp`, headers } })
  const tools = await client.tools()
  const messages: ModelMessage[] = []
  return {
    async say(content: string): Promise<string> {
      messages.push({ role: 'user', content })
      const stopWhen = isStepCount(8)
      const { text, response } = await generateText({
        model,
        tools,
        messages,
        stopWhen,
        instructions: INSTRUCTIONS,
      })
      messages.push(...response.messages)
      return text
    },
    close: () => client.close(),
  }
}

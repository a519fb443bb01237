/** The history that is live at the end of `session`: its events, folded. */
export function liveHistory(session) {
    let live = [];
    for (const event of session.events) {
        if (event.kind === 'add')
            live.push(event.content);
        else
            live = [...event.contents];
    }
    return live;
}

// Made from the operations by test/http-contract/generated.test.ts. Do not edit: run that test with -u.

export interface paths {
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the state of the daemon and its workers */
        get: operations["status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check the session and name the workspace */
        get: operations["session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the ledger as server-sent events */
        get: operations["events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events of the ledger, in order */
        get: operations["events.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List runs, the newest first */
        get: operations["runs.page"];
        put?: never;
        /** Give a goal to an agent */
        post: operations["do"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the state of the workspace */
        get: operations["overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workers of the cluster and their state */
        get: operations["workers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events of a run and its descendants, in order */
        get: operations["runs.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/artifacts/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an artifact of a run */
        get: operations["runs.artifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a run */
        get: operations["runs.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain every step of a run */
        get: operations["runs.explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Replay a run and compare it with its record */
        get: operations["runs.replay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a run as one HTML file that verifies itself */
        get: operations["runs.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a run at its next step */
        post: operations["runs.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a run */
        post: operations["runs.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an event to a run that waits for it */
        post: operations["runs.signal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a new run from a step of a run */
        post: operations["runs.fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a run */
        post: operations["runs.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo the file changes of a run */
        post: operations["runs.undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files that runs changed */
        get: operations["runs.changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record a correction of a run */
        post: operations["runs.correct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/pin-differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what has changed since a run started */
        get: operations["runs.pinDifferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List requests to a person, the newest first */
        get: operations["approvals.page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an approval */
        get: operations["approvals.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a call or answer a question */
        post: operations["approvals.approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deny a call */
        post: operations["approvals.deny"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the JSON Schema of graph files */
        get: operations["graphs.schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the graphs of the workspace */
        get: operations["graphs.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph-gallery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the example graphs that come with Oka */
        get: operations["graphs.gallery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Validate a graph file */
        get: operations["graphs.validate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a graph */
        get: operations["graphs.show"];
        /** Write a graph file */
        put: operations["graphs.save"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph-picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Draw a graph, or the graph of a run with the status of each node */
        get: operations["graphs.render"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Validate a graph that is not in a file */
        post: operations["graphs.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a graph, the newest first */
        get: operations["graphs.versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/versions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a version of a graph */
        get: operations["graphs.version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/patch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change one field of a graph file */
        post: operations["graphs.patch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Build a graph from a description */
        post: operations["graphs.build"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Build a graph from the steps of a run */
        post: operations["graphs.fromRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a graph */
        post: operations["graphs.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run the graph of a run again with the recorded input */
        post: operations["graphs.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/repin-differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare the graph of a run with the current one */
        get: operations["graphs.repinDifferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the state of a graph */
        get: operations["graphs.state.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/state/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a value of the state of a graph */
        get: operations["graphs.state.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph}/state/{key}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the earlier values of a key */
        get: operations["graphs.state.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the steps that a run can be forked from */
        get: operations["graphs.state.checkpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List schedules with their next firings */
        get: operations["graphs.schedules.list"];
        put?: never;
        /** Add a schedule */
        post: operations["graphs.schedules.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedule-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the times at which a cron expression fires */
        get: operations["graphs.schedules.preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/firings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the firings and misses of a schedule */
        get: operations["graphs.schedules.firings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable a schedule */
        post: operations["graphs.schedules.enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disable a schedule */
        post: operations["graphs.schedules.disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a schedule */
        delete: operations["graphs.schedules.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fire a schedule now */
        post: operations["graphs.schedules.trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tools */
        get: operations["tools.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a tool with its schemas */
        get: operations["tools.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{tool}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call one tool as a run */
        post: operations["tools.call"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set the price of a model */
        put: operations["models.setPrice"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List model providers and where their keys are */
        get: operations["models.providers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-providers/{provider}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the models of a provider */
        post: operations["models.offered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List configured models */
        get: operations["models.list"];
        put?: never;
        /** Add a model */
        post: operations["models.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call a model and record what it cannot do */
        post: operations["models.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Make a model the default */
        put: operations["models.setDefault"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a model */
        delete: operations["models.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count facts and episodes */
        get: operations["memory.stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List facts, the newest first */
        get: operations["memory.pageFacts"];
        put?: never;
        /** Add a fact */
        post: operations["memory.addFact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/facts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a fact */
        get: operations["memory.getFact"];
        put?: never;
        post?: never;
        /** Erase a fact, and nothing else that states it */
        delete: operations["memory.deleteFact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/search/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search facts */
        get: operations["memory.searchFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List facts that wait for a review */
        get: operations["memory.review"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/facts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a fact */
        get: operations["memory.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/facts/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore what a fact superseded */
        post: operations["memory.undoFact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/review/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a fact under review */
        post: operations["memory.confirmFact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/review/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a fact under review */
        post: operations["memory.rejectFact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/facts/{id}/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what states a fact */
        get: operations["memory.factPlaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/facts/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase a fact and what states it */
        post: operations["memory.eraseFact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/prune": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase expired facts */
        post: operations["memory.pruneFacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record episodes */
        post: operations["memory.recordEpisodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count episodes and runs by day */
        get: operations["memory.days"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/search/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search the episodes of a day */
        get: operations["memory.searchDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search memory with the parts of each score */
        get: operations["memory.retrieve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List conversations */
        get: operations["chat.list"];
        put?: never;
        /** Start a conversation */
        post: operations["chat.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the messages of a conversation */
        get: operations["chat.view"];
        put?: never;
        /** Send a message */
        post: operations["chat.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{to}/carry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy messages into a conversation */
        post: operations["chat.carry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a conversation */
        post: operations["chat.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel the turns of a conversation */
        post: operations["chat.stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry turns that ended without an answer */
        post: operations["chat.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a conversation */
        post: operations["chat.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a conversation */
        delete: operations["chat.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/maintenance/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase expired messages and empty conversations */
        post: operations["chat.cleanup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show which message notified which agent */
        get: operations["chat.trace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{conversation}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what the turns of a conversation used */
        get: operations["chat.usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview the context pack for a goal */
        get: operations["memoryPack.preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run maintenance */
        post: operations["maintenance.maintain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compute metrics */
        get: operations["metrics.figures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/procedures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List procedures */
        get: operations["procedures.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/procedures/{procedure}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a procedure */
        get: operations["procedures.show"];
        put?: never;
        post?: never;
        /** Erase a learned procedure */
        delete: operations["procedures.forget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/procedures/{procedure}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain the evidence of a procedure */
        get: operations["procedures.explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/procedure-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find procedures for a goal */
        get: operations["procedures.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/procedures/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Learn procedures from recorded runs */
        post: operations["procedures.score"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a backup to a file */
        post: operations["backup.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/backups/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify a backup file */
        post: operations["backup.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List eval cases */
        get: operations["evals.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evals/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an eval case */
        get: operations["evals.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Scan the workspace */
        post: operations["context.scan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/roots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the roots of earlier scans */
        get: operations["context.roots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two roots */
        get: operations["context.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the state of the context tree */
        get: operations["context.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/node": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a path with its frames */
        get: operations["context.getNode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the children of a path with their heads */
        get: operations["context.children"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/frames": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the frames of a path */
        get: operations["context.listFrames"];
        put?: never;
        /** Write a frame */
        post: operations["context.putFrame"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the newest frame of a path */
        get: operations["context.getHead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/compose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compose the frames around a path */
        get: operations["context.compose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/synthesize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a frame from those of the children */
        post: operations["context.synthesize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Regenerate stale frames */
        post: operations["context.regenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/invalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark frames as invalid */
        post: operations["context.invalidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask a model for a frame */
        post: operations["context.generate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verify the context tree and its frames */
        get: operations["context.validate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count frames by state, type and agent */
        get: operations["context.report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the names of credentials */
        get: operations["vault.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what acts in the workspace */
        get: operations["trust.show"];
        put?: never;
        /** Trust the workspace with what was shown */
        post: operations["trust.approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trusted-workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List trusted workspaces */
        get: operations["trust.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trust/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke the trust in a workspace */
        post: operations["trust.revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List MCP servers */
        get: operations["mcp.list"];
        put?: never;
        /** Add an MCP server */
        post: operations["mcp.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an MCP server */
        delete: operations["mcp.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect to an MCP server, and approve it if asked to */
        post: operations["mcp.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check the policy files, or a draft */
        post: operations["policy.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the policy in force */
        get: operations["policy.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show what the policy decides about a call */
        post: operations["policy.explain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List remembered approvals */
        get: operations["grants.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a remembered approval */
        delete: operations["grants.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List skills */
        get: operations["skills.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a skill */
        get: operations["skills.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents */
        get: operations["agents.list"];
        put?: never;
        /** Create an agent */
        post: operations["agents.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an agent */
        get: operations["agents.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check one agent, or all */
        get: operations["agents.check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verify the ledger */
        get: operations["ledger.verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count events and bytes of the ledger */
        get: operations["ledger.stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/gc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase and archive old content */
        post: operations["ledger.gc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check installation, workspace and sandbox */
        get: operations["doctor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Run: {
            id: string;
            kind: string;
            /** @enum {string} */
            status: "pending" | "running" | "interrupted" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
            state: string;
            goal?: string;
            graph?: string;
            graphHash: string;
            parent?: string;
            resumedFrom?: string;
            forkedFrom?: {
                run: string;
                step: number;
            };
            startedAt: number;
            endedAt?: number;
            budgets: {
                limits: {
                    [key: string]: number;
                };
                used: {
                    [key: string]: number;
                };
            };
            artifacts: components["schemas"]["Artifact"][];
            attempts?: string[];
            waitingFor?: {
                what: string;
                detail: string;
                next: string;
                until?: number;
                approval?: string;
                run?: string;
                request?: {
                    /** @enum {string} */
                    kind: "tool" | "question" | "unknown_effect";
                    tool?: string;
                    arguments?: unknown;
                    argumentsHash?: string;
                    effect?: string;
                    sideEffect?: string;
                    risk?: string;
                    why?: string;
                    rule?: string;
                    question?: string;
                    options?: string[];
                    known?: string[];
                    answers?: {
                        [key: string]: string;
                    };
                    notRemembered?: string;
                    expiresAt: number;
                };
            };
            blockers?: {
                run: string;
                what: string;
                detail: string;
                next: string;
                until?: number;
                approval?: string;
                request?: {
                    /** @enum {string} */
                    kind: "tool" | "question" | "unknown_effect";
                    tool?: string;
                    arguments?: unknown;
                    argumentsHash?: string;
                    effect?: string;
                    sideEffect?: string;
                    risk?: string;
                    why?: string;
                    rule?: string;
                    question?: string;
                    options?: string[];
                    known?: string[];
                    answers?: {
                        [key: string]: string;
                    };
                    notRemembered?: string;
                    expiresAt: number;
                };
                runs?: number;
            }[];
            failure?: {
                code: string;
                message: string;
            };
            /** @enum {string} */
            outcome?: "checked" | "partial" | "unproven";
            because?: string[];
            lostModel?: {
                model: string;
                code: string;
                message: string;
            };
            /** @constant */
            undoable?: true;
            /** @constant */
            simulated?: true;
            ownerAlive?: boolean;
        };
        RunAnswer: {
            run: components["schemas"]["Run"];
            output: unknown;
            wouldChange?: {
                path: string;
                change: string;
                bytes?: number;
                bytesBefore?: number;
                /** @constant */
                folder?: true;
                diff?: string;
            }[];
            effects?: {
                kind: string;
                what: string;
                run: string;
                step: number;
                tool: string;
                input: unknown;
                argv?: string[];
                cwd?: string;
                method?: string;
                url?: string;
                path?: string;
                asks?: string;
                /** @constant */
                withheld?: true;
            }[];
            wouldFail?: {
                kind: string;
                what: string;
                run: string;
                step: number;
                tool: string;
                input: unknown;
                argv?: string[];
                cwd?: string;
                method?: string;
                url?: string;
                path?: string;
                /** @enum {string} */
                outcome: "refused" | "failed";
                why: string;
            }[];
            simulationNotes?: string[];
        };
        RunListItem: {
            id: string;
            kind: string;
            /** @enum {string} */
            status: "pending" | "running" | "interrupted" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
            waitingFor?: {
                what: string;
                run?: string;
                until?: number;
            };
            goal?: string;
            parent?: string;
            resumedFrom?: string;
            startedAt: number;
            endedAt?: number;
            failureCode?: string;
            /** @enum {string} */
            outcome?: "checked" | "partial" | "unproven";
            costUsd?: number;
            /** @constant */
            simulated?: true;
            ownerAlive?: boolean;
        };
        Approval: {
            id: string;
            run: string;
            root?: string;
            /** @enum {string} */
            kind: "tool" | "question" | "unknown_effect";
            tool?: string;
            arguments?: unknown;
            argumentsHash?: string;
            effect?: string;
            sideEffect?: string;
            risk?: string;
            why?: string;
            rule?: string;
            question?: string;
            options?: string[];
            known?: string[];
            answers?: {
                [key: string]: string;
            };
            notRemembered?: string;
            expiresAt: number;
            step?: number;
            destructive?: boolean;
            rationale?: string;
            requestedAt: number;
            status: string;
            decidedBy?: string;
            decidedAt?: number;
            reason?: string;
            requestedArguments?: unknown;
            answer?: string;
            now?: {
                because: string;
                sandbox?: string;
                canUndo: boolean;
                diff?: string;
            };
        };
        Artifact: {
            digest: string;
            bytes: number;
            mediaType: string;
            name?: string;
        };
        Event: {
            seq: number;
            stream: string;
            index: number;
            type: string;
            at: number;
            actor: string;
            data: unknown;
            body?: unknown;
            /** @constant */
            erased?: true;
            chain: string;
            recoveries?: {
                kind: string;
                what: string;
            }[];
        };
        Overview: {
            workspace: string;
            trusted: boolean;
            runs: {
                [key: string]: number;
            };
            approvals: number;
            reviews: number;
            today: {
                since: number;
                usd: number;
                assumedUsd: number;
                modelCalls: number;
                inputTokens: number;
                outputTokens: number;
                unpriced: number;
                runs: number;
                failed: number;
                limitUsd?: number;
            };
            ledger: {
                seq: number;
                hash: string;
                verified?: {
                    seq: number;
                    at: number;
                };
                signed?: {
                    seq: number;
                    at: number;
                };
            };
        };
        Workers: {
            workers: {
                id: string;
                url: string;
                address: string;
                version: string;
                /** @enum {string} */
                state: "alive" | "draining" | "refused" | "waiting" | "lost";
                since: number;
            }[];
            problem?: {
                code: string;
                message: string;
                data?: {
                    [key: string]: unknown;
                };
                transient?: boolean;
            };
        };
        RunsPage: {
            items: components["schemas"]["RunListItem"][];
            next?: string;
        };
        RunsEvents: {
            items: components["schemas"]["Event"][];
            next?: string;
        };
        RunsArtifact: {
            digest: string;
            bytes: number;
            mediaType: string;
            name?: string;
            /** @enum {string} */
            encoding: "utf8" | "base64";
            content: string;
            /** @constant */
            truncated?: true;
        };
        RunsExplain: {
            run: components["schemas"]["Run"];
            timeline: {
                state: string;
                at: number;
            }[];
            actions: {
                step: number;
                at: number;
                state: string;
                decision: string;
                tool?: string;
                input?: unknown;
                rationale: string;
                model?: {
                    provider: string;
                    model: string;
                    spend: {
                        [key: string]: number;
                    };
                    manifest?: unknown;
                };
                verdicts: string[];
                outcome?: string;
                output?: unknown;
                failure?: {
                    code: string;
                    message: string;
                    data?: {
                        [key: string]: unknown;
                    };
                    transient?: boolean;
                };
                attempts?: number;
                cached?: boolean;
                reused?: string;
                by?: string;
                /** @constant */
                expected?: true;
                recoveries?: string[];
                artifacts?: components["schemas"]["Artifact"][];
            }[];
            notes: {
                at: number;
                what: string;
            }[];
            recoveries: {
                at: number;
                step: number;
                kind: string;
                what: string;
            }[];
            artifacts: components["schemas"]["Artifact"][];
            cost: {
                [key: string]: number;
            };
            untrusted?: {
                sources: {
                    at: number;
                    step?: number;
                    what: string;
                }[];
                consequences: string[];
            };
            wouldChange?: {
                path: string;
                change: string;
                bytes?: number;
                bytesBefore?: number;
                /** @constant */
                folder?: true;
                diff?: string;
            }[];
            effects?: {
                kind: string;
                what: string;
                run: string;
                step: number;
                tool: string;
                input: unknown;
                argv?: string[];
                cwd?: string;
                method?: string;
                url?: string;
                path?: string;
                asks?: string;
                /** @constant */
                withheld?: true;
            }[];
            wouldFail?: {
                kind: string;
                what: string;
                run: string;
                step: number;
                tool: string;
                input: unknown;
                argv?: string[];
                cwd?: string;
                method?: string;
                url?: string;
                path?: string;
                /** @enum {string} */
                outcome: "refused" | "failed";
                why: string;
            }[];
            simulationNotes?: string[];
        };
        RunsReplay: {
            /** @enum {string} */
            mode: "narrative" | "decision" | "full";
            equal: boolean;
            compared: number;
            differences: {
                step: number;
                recorded: unknown;
                replayed: unknown;
            }[];
            notes: string[];
            narrative?: string[];
        };
        RunsExport: {
            run: string;
            name: string;
            html: string;
            events: number;
            runs: number;
            end: string;
            signed: boolean;
        };
        RunsUndo: {
            run: string;
            changes: {
                run: string;
                step: number;
                tool: string;
                restored: boolean;
                what: string;
            }[];
            attempts?: string[];
        };
        RunsChanges: {
            path: string;
            /** @enum {string} */
            change: "created" | "changed" | "removed";
            added?: number;
            removed?: number;
            diff?: string;
        };
        ApprovalsPage: {
            items: components["schemas"]["Approval"][];
            next?: string;
        };
        GraphsList: {
            id: string;
            name: string;
            version: string;
            path: string;
            nodes: number;
            mode: string;
            problem?: string;
        };
        GraphsGallery: {
            name: string;
            file: string;
            description: string;
            model: boolean;
            calls: string[];
            isPart: boolean;
            definition: unknown;
        };
        GraphsValidate: {
            valid: boolean;
            hash?: string;
            diagnostics: {
                code: string;
                path: string;
                message: string;
                suggestion?: string;
                /** @enum {string} */
                severity: "error" | "warning";
                line?: number;
                column?: number;
            }[];
        };
        GraphsShow: {
            valid: boolean;
            hash?: string;
            diagnostics: {
                code: string;
                path: string;
                message: string;
                suggestion?: string;
                /** @enum {string} */
                severity: "error" | "warning";
                line?: number;
                column?: number;
            }[];
            path: string;
            definition: unknown;
            revision: string;
        };
        GraphsCheck: {
            valid: boolean;
            hash?: string;
            diagnostics: {
                code: string;
                path: string;
                message: string;
                suggestion?: string;
                /** @enum {string} */
                severity: "error" | "warning";
                line?: number;
                column?: number;
                fix?: {
                    what: string;
                    pointer: string;
                    value?: unknown;
                };
            }[];
        };
        GraphsVersions: {
            revision: string;
            version: string;
            at: number;
            path: string;
            current: boolean;
        };
        GraphsVersion: {
            revision: string;
            version: string;
            at: number;
            path: string;
            current: boolean;
            definition: unknown;
        };
        GraphsSave: {
            valid: boolean;
            hash?: string;
            diagnostics: {
                code: string;
                path: string;
                message: string;
                suggestion?: string;
                /** @enum {string} */
                severity: "error" | "warning";
                line?: number;
                column?: number;
            }[];
            path: string;
            definition: unknown;
            revision: string;
            diff: string[];
        };
        GraphsPatch: {
            path: string;
            version: string;
            hash: string;
            diff: string[];
            kept: string;
            diagnostics: {
                code: string;
                path: string;
                message: string;
                suggestion?: string;
                /** @enum {string} */
                severity: "error" | "warning";
                line?: number;
                column?: number;
            }[];
        };
        GraphsBuild: {
            path?: string;
            definition: unknown;
            choices: {
                step: string;
                node_id: string;
                tool?: string;
                why: string;
            }[];
            schedule?: {
                cron: string;
                why: string;
            };
            attempts: number;
        };
        GraphsStateList: {
            key: string;
            value: unknown;
            at: number;
            run: string;
            /** @constant */
            untrusted?: true;
        };
        GraphsStateCheckpoints: {
            step: number;
            node: string;
            at: number;
            /** @enum {string} */
            status: "ok" | "failed" | "waiting";
            last?: unknown;
            failure?: {
                code: string;
                message: string;
                data?: {
                    [key: string]: unknown;
                };
                transient?: boolean;
            };
        };
        GraphsSchedulesAdd: {
            id: string;
            graph: string;
            cron?: string;
            zone?: string;
            onChange?: string;
            enabled: boolean;
            next: number[];
            misfire: string;
            overlap: string;
            dst?: string;
            lastFiredAt?: number;
            input: unknown;
            inputErased: boolean;
            queued: boolean;
            addedAt: number;
            addedBy: string;
            lastRun?: string;
            lastSkipped?: {
                plannedAt: number;
                until: number;
                count: number;
                /** @constant */
                more?: true;
                /** @enum {string} */
                why: "misfire" | "overlap" | "dst" | "disabled" | "deleted" | "input_erased" | "failed" | "clock";
                decidedAt: number;
                failure?: {
                    code: string;
                    message?: string;
                };
            };
            problem?: {
                code: string;
                message: string;
                data?: {
                    [key: string]: unknown;
                };
                transient?: boolean;
            };
        };
        GraphsSchedulesPreview: {
            next: number[];
            more: boolean;
        };
        GraphsSchedulesFirings: {
            id: string;
            /** @enum {string} */
            status: "fired" | "skipped" | "queued";
            /** @enum {string} */
            why: "due" | "late" | "manual" | "change" | "misfire" | "overlap" | "dst" | "disabled" | "deleted" | "input_erased" | "failed" | "clock";
            plannedAt: number;
            until: number;
            count: number;
            /** @constant */
            more?: true;
            decidedAt: number;
            run?: string;
            failure?: {
                code: string;
                message?: string;
            };
        };
        ToolsList: {
            name: string;
            description: string;
            /** @enum {string} */
            sideEffect: "read" | "write_local" | "external_mutation";
            annotations: {
                readOnly: boolean;
                destructive: boolean;
                idempotent: boolean;
                cacheable: boolean;
                /** @enum {string} */
                risk: "none" | "low" | "medium" | "high" | "critical";
            };
            source: string;
        };
        ToolsShow: {
            name: string;
            description: string;
            /** @enum {string} */
            sideEffect: "read" | "write_local" | "external_mutation";
            annotations: {
                readOnly: boolean;
                destructive: boolean;
                idempotent: boolean;
                cacheable: boolean;
                /** @enum {string} */
                risk: "none" | "low" | "medium" | "high" | "critical";
            };
            source: string;
            input: {
                [key: string]: unknown;
            };
            output?: {
                [key: string]: unknown;
            };
        };
        ModelsSetPrice: {
            file: string;
        };
        ModelsProviders: {
            id: string;
            title: string;
            url?: string;
            needsKey: boolean;
            keyVariable?: string;
            /** @enum {string} */
            key?: "environment" | "vault";
            isLocal: boolean;
            runningModels?: number;
        };
        ModelsOffered: {
            id: string;
            contextTokens?: number;
            price?: {
                input: number;
                output: number;
                cachedInput?: number;
            };
            tools?: boolean;
        };
        ModelsAdd: {
            name: string;
            model: string;
            file: string;
            default: string;
            /** @enum {string} */
            key: "environment" | "vault" | "none";
            test?: components["schemas"]["ModelsTest"];
        };
        ModelsList: {
            models: {
                name: string;
                model: string;
                provider: string;
                url?: string;
                isDefault: boolean;
                /** @enum {string} */
                from: "user" | "project";
                contextTokens?: number;
                price?: {
                    input: number;
                    output: number;
                    cachedInput?: number;
                };
                /** @enum {string} */
                priceFrom?: "user" | "published" | "local" | "assumed";
                streaming: boolean;
                tools: boolean;
                json: boolean;
            }[];
            default?: string;
            pricesAsOf: string;
        };
        ModelsTest: {
            name: string;
            model: string;
            answeredMs?: number;
            streaming: boolean;
            tools: boolean;
            json: boolean;
            contextTokens?: number;
            notes: string[];
        };
        ModelsSetDefault: {
            name: string;
            file: string;
            default: string;
        };
        ModelsRemove: {
            name: string;
            file: string;
            default?: string;
            keyErased: boolean;
        };
        MemoryStats: {
            facts: {
                live: number;
                expired: number;
                superseded: number;
                candidates: number;
                quarantined: number;
            };
            episodes: number;
            conversations: number;
            window?: {
                conversation: string;
                messages: number;
                tokens: number;
                cap: number;
                dropped: number;
            };
            namespaces: {
                namespace: string;
                facts: number;
                episodes: number;
            }[];
        };
        MemoryAddFact: {
            fact: components["schemas"]["MemoryGetFact"];
            /** @enum {string} */
            outcome: "added" | "affirmed" | "known";
            superseded: string[];
        };
        MemoryGetFact: {
            id: string;
            namespace: string;
            text: string;
            importance: number;
            confidence: number;
            key?: string;
            source?: string;
            restsOn?: {
                path: string;
                version: string;
            };
            expiresAt?: number;
            supersededBy?: string;
            /** @enum {string} */
            status: "confirmed" | "candidate";
            by: string;
            uses: number;
            successes: number;
            lastUsedAt?: number;
            /** @constant */
            stale?: true;
            unchecked?: {
                since?: number;
            };
            at: number;
        };
        MemoryPageFacts: {
            items: components["schemas"]["MemoryGetFact"][];
            next?: string;
        };
        MemorySearchFacts: {
            hits: {
                /** @enum {string} */
                kind: "fact" | "episode" | "run";
                id: string;
                keptId?: string;
                text: string;
                score: number;
                why: {
                    keyword: number;
                    vector: number;
                    neighbours: number;
                    fit: number;
                    importance: number;
                    recency: number;
                };
                at: number;
                namespace?: string;
                conversation?: string;
                source?: string;
                importance?: number;
                /** @constant */
                partial?: true;
                /** @constant */
                candidate?: true;
                /** @constant */
                stale?: true;
                unchecked?: {
                    since?: number;
                };
            }[];
            confidence: number;
            certain: boolean;
            degraded: boolean;
            notice?: string;
        };
        MemoryReview: {
            id: string;
            namespace: string;
            text: string;
            importance: number;
            confidence: number;
            expiresAt?: number;
            /** @enum {string} */
            status: "quarantined" | "candidate";
            run?: string;
            origin?: string;
            source?: string;
            contradicts?: string[];
            at: number;
        };
        MemoryHistory: {
            versions: components["schemas"]["MemoryGetFact"][];
            changes: {
                fact: string;
                /** @enum {string} */
                change: "added" | "affirmed" | "confirmed" | "superseded" | "restored" | "rejected" | "deleted";
                other?: string;
                by: string;
                run?: string;
                at: number;
            }[];
        };
        MemoryUndoFact: {
            restored: components["schemas"]["MemoryGetFact"][];
            undone: string[];
        };
        MemoryFactPlaces: {
            id: string;
            what: string;
            /** @constant */
            open?: true;
            fixed?: string;
        };
        MemoryEraseFact: {
            id: string;
            erased: components["schemas"]["MemoryFactPlaces"][];
            kept: components["schemas"]["MemoryFactPlaces"][];
            remains: {
                where: string;
                why: string;
            }[];
            everywhere: boolean;
        };
        MemoryRecordEpisodes: {
            id?: string;
            /** @enum {string} */
            outcome: "recorded" | "known";
        };
        MemoryDays: {
            day: string;
            episodes: number;
            runs: number;
        };
        ChatList: {
            name: string;
            paused: boolean;
            agents: string[];
            messages: number;
            createdAt: number;
            lastAt?: number;
            open: number;
            waitsUntil?: number;
        };
        ChatSend: {
            id: number;
            notified: string[];
            unknown: string[];
            suggestions: {
                name: string;
                nearest: string;
            }[];
        };
        ChatView: {
            messages: {
                id: number;
                at: number;
                from: string;
                content: string;
                turn?: string;
            }[];
            notices: {
                message: number;
                what: string;
                /** @constant */
                waiting?: true;
                /** @constant */
                ended?: true;
                until?: number;
                retry?: string;
            }[];
        };
        ChatStop: {
            agent: string;
            run: string;
        };
        ChatRetry: {
            id: string;
            message: number;
            agent: string;
        };
        ChatCleanup: {
            messages: number;
            conversations: string[];
            mentions: number;
        };
        ChatTrace: {
            id: string;
            message: number;
            agent: string;
            depth: number;
            chain: string;
            /** @enum {string} */
            status: "queued" | "claimed" | "done" | "dropped";
            reason?: string;
            detail?: string;
            attempts: number;
            waiting?: {
                until: number;
                why: string;
            };
            run?: string;
            tokens: number;
            costUsd: number;
            parent?: string;
            from: string;
        };
        ChatUsage: {
            turns: {
                message: number;
                agent: string;
                /** @enum {string} */
                status: "queued" | "claimed" | "done" | "dropped";
                run?: string;
                tokens: number;
                costUsd: number;
                /** @constant */
                unpriced?: true;
                /** @constant */
                assumed?: true;
            }[];
            tokens: number;
            costUsd: number;
            budgets: {
                /** @enum {string} */
                scope: "turn" | "conversation" | "day";
                name: string;
                used: number;
                limit: number;
            }[];
        };
        MemoryPackPreview: {
            items: {
                kind: string;
                id: string;
                tokens: number;
                score: number;
                text: string;
                /** @constant */
                pinned?: true;
                /** @constant */
                untrusted?: true;
                /** @constant */
                unconfirmed?: true;
                note?: string;
                cut?: number;
            }[];
            dropped: {
                kind: string;
                id: string;
                tokens: number;
                score: number;
                /** @enum {string} */
                why: "cap" | "limit" | "duplicate" | "empty" | "gone";
            }[];
            tokens: number;
            cap: number;
            digest: string;
            faults: {
                source: string;
                what: string;
            }[];
        };
        MaintenanceMaintain: {
            /** @enum {string} */
            outcome: "done" | "not_done" | "nothing_changed" | "busy" | "would_do";
            run?: components["schemas"]["Run"];
            report?: {
                distilled: {
                    added: number;
                    forgotten: number;
                };
                procedures: {
                    scored: number;
                    changed: string[];
                };
                facts: {
                    joined: number;
                    archived: number;
                    pruned: number;
                };
                retention: {
                    archivedRuns: number;
                    erasedEpisodes: number;
                    deletedArtifacts: number;
                    freedBytes: number;
                };
                files: {
                    written: string[];
                    removed: string[];
                    unchanged: number;
                    setAside: string[];
                    leftAlone: string[];
                };
            };
            wouldLearn?: {
                text: string;
                source: string;
            }[];
        };
        MetricsFigures: {
            since: number;
            whole: {
                started: number;
                open: number;
                completion: {
                    rate: number | null;
                    count: number;
                    n: number;
                    partial: number;
                    unproven: number;
                };
                rework: {
                    rate: number | null;
                    count: number;
                    n: number;
                    rejections: number;
                };
                timeToCompletion: {
                    n: number;
                    medianMs: number | null;
                    medianWithoutWaitingMs: number | null;
                };
                corrections: {
                    rate: number | null;
                    count: number;
                    n: number;
                    edits: number;
                    undos: number;
                    corrections: number;
                };
                contextPack: {
                    n: number;
                    medianTokens: number | null;
                };
                cost: {
                    usd: number;
                    assumedUsd: number;
                    modelCalls: number;
                    inputTokens: number;
                    outputTokens: number;
                    unpriced: number;
                };
            };
            packStability: {
                n: number;
                medianKept: number | null;
                medianSizeChange: number | null;
            };
            memory: {
                junk: {
                    rate: number | null;
                    count: number;
                    n: number;
                    rejected: number;
                    superseded: number;
                    unused: number;
                };
                lift: {
                    points: number | null;
                    needed: number;
                    withFacts: {
                        rate: number | null;
                        count: number;
                        n: number;
                    };
                    without: {
                        rate: number | null;
                        count: number;
                        n: number;
                    };
                };
            };
            days: {
                started: number;
                open: number;
                completion: {
                    rate: number | null;
                    count: number;
                    n: number;
                    partial: number;
                    unproven: number;
                };
                rework: {
                    rate: number | null;
                    count: number;
                    n: number;
                    rejections: number;
                };
                timeToCompletion: {
                    n: number;
                    medianMs: number | null;
                    medianWithoutWaitingMs: number | null;
                };
                corrections: {
                    rate: number | null;
                    count: number;
                    n: number;
                    edits: number;
                    undos: number;
                    corrections: number;
                };
                contextPack: {
                    n: number;
                    medianTokens: number | null;
                };
                cost: {
                    usd: number;
                    assumedUsd: number;
                    modelCalls: number;
                    inputTokens: number;
                    outputTokens: number;
                    unpriced: number;
                };
                day: string;
            }[];
        };
        ProceduresList: {
            procedures: components["schemas"]["ProceduresShow"][];
            faults: {
                path: string;
                line: number;
                message: string;
                next: string;
            }[];
            forming: {
                goals: string;
                finished: number;
                independent: number;
                needed: number;
            }[];
            trusted: boolean;
        };
        ProceduresShow: {
            id: string;
            name: string;
            /** @enum {string} */
            origin: "built_in" | "file" | "promoted";
            /** @enum {string} */
            status: "given" | "candidate" | "promoted" | "demoted" | "forgotten";
            description?: string;
            trigger: {
                phrases: string[];
                words: string[];
            };
            steps: {
                title: string;
                tool?: string;
                input?: {
                    [key: string]: unknown;
                };
                acceptance?: {
                    [key: string]: unknown;
                }[];
            }[];
            pitfalls: string[];
            checklist: string[];
            lastValidatedAt?: number;
            basis: {
                files: {
                    path: string;
                    version?: string;
                }[];
                tools: {
                    name: string;
                    digest?: string;
                }[];
            };
            path?: string;
            reason?: {
                /** @enum {string} */
                kind: "tool_changed" | "file_changed" | "contradicted" | "evidence_erased";
                subject: string;
                detail: string;
            };
        };
        ProceduresExplain: {
            procedure: components["schemas"]["ProceduresShow"];
            evidence?: {
                with: {
                    executions: number;
                    runs: string[];
                    medianMs: number | null;
                    rejections: number;
                    approvals: number;
                    refusals: number;
                };
                without: {
                    executions: number;
                    runs: string[];
                    medianMs: number | null;
                    rejections: number;
                    approvals: number;
                    refusals: number;
                };
            };
            precedents: string[];
            contradictions: {
                run: string;
                why: string;
            }[];
            waitsFor: string[];
            history: {
                at: number;
                what: string;
                reason?: {
                    /** @enum {string} */
                    kind: "tool_changed" | "file_changed" | "contradicted" | "evidence_erased";
                    subject: string;
                    detail: string;
                };
                evidence?: {
                    with: {
                        executions: number;
                        runs: string[];
                        medianMs: number | null;
                        rejections: number;
                        approvals: number;
                        refusals: number;
                    };
                    without: {
                        executions: number;
                        runs: string[];
                        medianMs: number | null;
                        rejections: number;
                        approvals: number;
                        refusals: number;
                    };
                };
            }[];
        };
        ProceduresFind: {
            procedure: components["schemas"]["ProceduresShow"];
            score: number;
            why: string;
            executable: boolean;
        };
        ProceduresScore: {
            scored: number;
            proposed: string[];
            promoted: string[];
            demoted: string[];
        };
        BackupCreate: {
            createdAt: number;
            oka: string;
            head: {
                seq: number;
                hash: string;
            };
            files: number;
            blobs: number;
            vault: boolean;
            file: string;
            bytes: number;
            warnings: {
                where: string;
                what: string;
            }[];
        };
        BackupVerify: {
            ok: boolean;
            file: string;
            bytes: number;
            contents?: {
                createdAt: number;
                oka: string;
                head: {
                    seq: number;
                    hash: string;
                };
                files: number;
                blobs: number;
                vault: boolean;
            };
            events: number;
            faults: {
                where: string;
                what: string;
            }[];
            warnings: {
                where: string;
                what: string;
            }[];
        };
        EvalsList: {
            name: string;
            path: string;
            goal: string;
            kind: string;
            status: string;
            run: string;
            recordedAt: number;
            runs: number;
            decisions: number;
        };
        EvalsShow: {
            name: string;
            path: string;
            goal: string;
            kind: string;
            status: string;
            run: string;
            recordedAt: number;
            runs: number;
            decisions: number;
            acceptance: unknown[];
            steps: {
                run: string;
                step: number;
                state: string;
                decision: unknown;
                policy?: string;
                asksModel: boolean;
            }[];
        };
        ContextScan: {
            root: string;
            added: number;
            changed: number;
            removed: number;
            unchanged: number;
            skipped: {
                path: string;
                why: string;
            }[];
            read: number;
        };
        ContextRoots: {
            root: string;
            previous?: string;
            at: number;
        };
        ContextDiff: {
            from: string;
            to: string;
            added: {
                path: string;
                /** @enum {string} */
                kind: "file" | "directory" | "link";
                before?: string;
                after?: string;
            }[];
            changed: {
                path: string;
                /** @enum {string} */
                kind: "file" | "directory" | "link";
                before?: string;
                after?: string;
            }[];
            removed: {
                path: string;
                /** @enum {string} */
                kind: "file" | "directory" | "link";
                before?: string;
                after?: string;
            }[];
            heads: {
                path: string;
                type: string;
                before?: string;
                after?: string;
                /** @constant */
                stale?: true;
                /** @constant */
                invalid?: true;
            }[];
            frames: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
            }[];
        };
        ContextStatus: {
            root: string | null;
            files: number;
            directories: number;
            links: number;
            bytes: number;
            frames: number;
            frameBytes: number;
            heads: {
                fresh: number;
                stale: number;
                rests_on_stale: number;
                invalid: number;
                gone: number;
                not_checked: number;
            };
        };
        ContextGetNode: {
            node: {
                id: string;
                path: string;
                /** @enum {string} */
                kind: "file" | "directory" | "link" | "gone";
                size?: number;
                contentHash?: string;
                executable?: boolean;
                target?: string;
            };
            frames: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
                stale?: boolean;
                /** @enum {string} */
                state?: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                uncheckedSince?: number;
                restsOnStale?: {
                    count: number;
                    since?: number;
                    heads: {
                        path: string;
                        type: string;
                        /** @enum {string} */
                        state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                        since?: number;
                    }[];
                };
                content?: string;
                unreadable?: string;
                head?: boolean;
                /** @enum {string} */
                source?: "node" | "parent" | "siblings" | "related";
            }[];
            frameCount: number;
        };
        ContextChildren: {
            items: {
                path: string;
                name: string;
                /** @enum {string} */
                kind: "file" | "directory" | "link";
                heads: {
                    type: string;
                    frame: string;
                    /** @enum {string} */
                    state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                    uncheckedSince?: number;
                    restsOnStale?: {
                        count: number;
                        since?: number;
                        heads: {
                            path: string;
                            type: string;
                            /** @enum {string} */
                            state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                            since?: number;
                        }[];
                    };
                    /** @enum {string} */
                    recipe: "none" | "synthesis" | "generation";
                    at: number;
                }[];
                staleBelow: number;
            }[];
            next?: string;
            path: string;
            heads: {
                type: string;
                frame: string;
                /** @enum {string} */
                state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                uncheckedSince?: number;
                restsOnStale?: {
                    count: number;
                    since?: number;
                    heads: {
                        path: string;
                        type: string;
                        /** @enum {string} */
                        state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                        since?: number;
                    }[];
                };
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                at: number;
            }[];
        };
        ContextListFrames: {
            id: string;
            node: string;
            path: string;
            type: string;
            agent: string;
            basisHash: string;
            /** @enum {string} */
            recipe: "none" | "synthesis" | "generation";
            bytes: number;
            createdAt: number;
            erased: boolean;
            metadata?: {
                [key: string]: unknown;
            };
            producers?: {
                provider: string;
                model: string;
                run?: string;
                question?: string;
                fallbackFor?: string[];
            }[];
            stale: boolean;
            /** @enum {string} */
            state?: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
            uncheckedSince?: number;
            restsOnStale?: {
                count: number;
                since?: number;
                heads: {
                    path: string;
                    type: string;
                    /** @enum {string} */
                    state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                    since?: number;
                }[];
            };
            head: boolean;
        };
        ContextGetHead: {
            stale: boolean;
            /** @enum {string} */
            state?: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
            uncheckedSince?: number;
            restsOnStale?: {
                count: number;
                since?: number;
                heads: {
                    path: string;
                    type: string;
                    /** @enum {string} */
                    state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                    since?: number;
                }[];
            };
            head: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
            } | null;
        };
        ContextCompose: {
            frames: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
                stale?: boolean;
                /** @enum {string} */
                state?: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                uncheckedSince?: number;
                restsOnStale?: {
                    count: number;
                    since?: number;
                    heads: {
                        path: string;
                        type: string;
                        /** @enum {string} */
                        state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                        since?: number;
                    }[];
                };
                content?: string;
                unreadable?: string;
                head?: boolean;
                /** @enum {string} */
                source?: "node" | "parent" | "siblings" | "related";
            }[];
            candidates: number;
            skipped: {
                what: string;
                why: string;
            }[];
        };
        ContextPutFrame: {
            frame: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
            };
            /** @enum {string} */
            outcome: "appended" | "moved" | "known";
        };
        ContextSynthesize: {
            frame: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
            };
            /** @enum {string} */
            outcome: "appended" | "moved" | "known";
            skipped: string[];
            appended: number;
        };
        ContextRegenerate: {
            dryRun: boolean;
            regenerated: {
                path: string;
                type: string;
                /** @enum {string} */
                recipe: "synthesis" | "generation";
                from: string;
                to?: string;
            }[];
            unchanged: number;
            skipped: {
                path: string;
                type: string;
                why: string;
            }[];
            cost: {
                frames: number;
                modelCalls: number;
            };
        };
        ContextInvalidate: {
            path: string;
            types: string[];
        };
        ContextGenerate: {
            run: components["schemas"]["Run"];
            output: unknown;
            wouldChange?: {
                path: string;
                change: string;
                bytes?: number;
                bytesBefore?: number;
                /** @constant */
                folder?: true;
                diff?: string;
            }[];
            effects?: {
                kind: string;
                what: string;
                run: string;
                step: number;
                tool: string;
                input: unknown;
                argv?: string[];
                cwd?: string;
                method?: string;
                url?: string;
                path?: string;
                asks?: string;
                /** @constant */
                withheld?: true;
            }[];
            wouldFail?: {
                kind: string;
                what: string;
                run: string;
                step: number;
                tool: string;
                input: unknown;
                argv?: string[];
                cwd?: string;
                method?: string;
                url?: string;
                path?: string;
                /** @enum {string} */
                outcome: "refused" | "failed";
                why: string;
            }[];
            simulationNotes?: string[];
            frame?: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
                stale?: boolean;
                /** @enum {string} */
                state?: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                uncheckedSince?: number;
                restsOnStale?: {
                    count: number;
                    since?: number;
                    heads: {
                        path: string;
                        type: string;
                        /** @enum {string} */
                        state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                        since?: number;
                    }[];
                };
                content?: string;
                unreadable?: string;
                head?: boolean;
                /** @enum {string} */
                source?: "node" | "parent" | "siblings" | "related";
            };
            asked?: boolean;
        };
        ContextValidate: {
            ok: boolean;
            faults: {
                where: string;
                what: string;
            }[];
        };
        ContextReport: {
            root: string | null;
            files: number;
            directories: number;
            links: number;
            bytes: number;
            frames: number;
            frameBytes: number;
            heads: {
                fresh: number;
                stale: number;
                rests_on_stale: number;
                invalid: number;
                gone: number;
                not_checked: number;
            };
            byType: {
                fresh: number;
                stale: number;
                rests_on_stale: number;
                invalid: number;
                gone: number;
                not_checked: number;
                type: string;
                frames: number;
            }[];
            byAgent: {
                agent: string;
                frames: number;
            }[];
            notFresh: {
                path: string;
                type: string;
                /** @enum {string} */
                state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                uncheckedSince?: number;
                restsOnStale?: {
                    count: number;
                    since?: number;
                    heads: {
                        path: string;
                        type: string;
                        /** @enum {string} */
                        state: "fresh" | "stale" | "rests_on_stale" | "invalid" | "gone" | "not_checked";
                        since?: number;
                    }[];
                };
            }[];
            since?: {
                id: string;
                node: string;
                path: string;
                type: string;
                agent: string;
                basisHash: string;
                /** @enum {string} */
                recipe: "none" | "synthesis" | "generation";
                bytes: number;
                createdAt: number;
                erased: boolean;
                metadata?: {
                    [key: string]: unknown;
                };
                producers?: {
                    provider: string;
                    model: string;
                    run?: string;
                    question?: string;
                    fallbackFor?: string[];
                }[];
            }[];
        };
        VaultList: {
            credentials: {
                id: string;
                name: string;
                provider?: string;
                accountHint?: string;
                scopes: string[];
                /** @enum {string} */
                status: "active" | "revoked" | "expired";
                version: number;
                createdAt: number;
                updatedAt: number;
                lastUsedAt?: number;
                expiresAt?: number;
            }[];
            /** @enum {string} */
            keySource?: "keyring" | "file" | "passphrase";
            faults: {
                where: string;
                what: string;
            }[];
        };
        TrustShow: {
            workspace: string;
            trusted: boolean;
            trustedAt?: number;
            movedFrom?: string;
            items: {
                kind: string;
                name: string;
                /** @enum {string} */
                state: "approved" | "new" | "changed";
                text: string;
                diff?: string;
                nextAt?: number;
            }[];
            removed: {
                kind: string;
                name: string;
            }[];
            summary: string;
            digest: string;
            notice?: string;
        };
        TrustList: {
            path: string;
            id?: string;
            trustedAt: number;
            items: number;
            /** @enum {string} */
            state: "trusted" | "replaced" | "missing";
        };
        TrustRevoke: {
            path: string;
            revoked: boolean;
        };
        McpList: {
            name: string;
            /** @enum {string} */
            from: "project" | "user";
            /** @enum {string} */
            transport?: "stdio" | "http";
            target?: string;
            /** @enum {string} */
            status: "approved" | "new" | "changed" | "off";
            problem?: string;
            tools: string[];
            trustHints: boolean;
        };
        McpAdd: {
            server: components["schemas"]["McpList"];
            file: string;
        };
        McpRemove: {
            name: string;
            file: string;
        };
        McpTest: {
            server: components["schemas"]["McpList"];
            protocol: string;
            tools: {
                name: string;
                description?: string;
                inputSchema: {
                    [key: string]: unknown;
                };
                outputSchema?: {
                    [key: string]: unknown;
                };
                annotations?: {
                    [key: string]: unknown;
                };
            }[];
            changes: string[];
            hash: string;
        };
        PolicyCheck: {
            valid: boolean;
            files: {
                file: string;
                path: string;
                /** @enum {string} */
                owner: "user" | "project";
                /** @enum {string} */
                status: "in_force" | "absent" | "not_trusted" | "invalid" | "draft";
            }[];
            rules: {
                rule: string;
                /** @enum {string} */
                owner: "user" | "project";
                match: string;
                /** @enum {string} */
                decision: "allow" | "ask" | "deny";
                why: string;
                effective: boolean;
                warnings: string[];
            }[];
            problems: {
                file: string;
                line: number;
                column: number;
                message: string;
            }[];
        };
        PolicyShow: {
            version: string;
            files: {
                file: string;
                path: string;
                /** @enum {string} */
                owner: "user" | "project";
                /** @enum {string} */
                status: "in_force" | "absent" | "not_trusted" | "invalid" | "draft";
            }[];
            defaults: {
                match: string;
                /** @enum {string} */
                decision: "allow" | "ask" | "deny";
                why: string;
            }[];
            rules: {
                rule: string;
                /** @enum {string} */
                owner: "user" | "project";
                match: string;
                /** @enum {string} */
                decision: "allow" | "ask" | "deny";
                why: string;
                effective: boolean;
                warnings: string[];
            }[];
        };
        PolicyExplain: {
            /** @enum {string} */
            decision: "allow" | "ask" | "deny";
            rule: string;
            why: string;
            tool: string;
            sideEffect: string;
            risk: string;
            default: {
                /** @enum {string} */
                decision: "allow" | "ask" | "deny";
                rule: string;
                why: string;
            };
            matches: {
                rule: string;
                /** @enum {string} */
                owner: "user" | "project";
                match: string;
                /** @enum {string} */
                decision: "allow" | "ask" | "deny";
                why: string;
                decided: boolean;
                note?: string;
            }[];
            notes: string[];
        };
        GrantsList: {
            id: string;
            tool: string;
            covers: string;
            program?: string;
            workspace: string;
            by: string;
            at: number;
            expiresAt?: number;
            active: boolean;
            why?: string;
        };
        SkillsList: {
            skills: {
                name: string;
                description: string;
                /** @enum {string} */
                source: "user" | "project";
                path: string;
            }[];
            faulty: {
                name: string;
                /** @enum {string} */
                source: "user" | "project";
                path: string;
                valid: boolean;
                usable: boolean;
                problems: {
                    code: string;
                    /** @enum {string} */
                    severity: "error" | "warning";
                    path: string;
                    message: string;
                    next: string;
                }[];
            }[];
            trusted: boolean;
        };
        SkillsShow: {
            name: string;
            description: string;
            /** @enum {string} */
            source: "user" | "project";
            path: string;
            license?: string;
            compatibility?: string;
            metadata: {
                [key: string]: string;
            };
            allowedTools: string[];
            files: string[];
            body: string;
            problems: {
                code: string;
                /** @enum {string} */
                severity: "error" | "warning";
                path: string;
                message: string;
                next: string;
            }[];
        };
        AgentsList: {
            name: string;
            description?: string;
            provider?: string;
            model?: string;
            script?: string;
            /** @enum {string} */
            contextRole?: "reader" | "writer" | "synthesis";
            tools?: string[];
            path?: string;
            valid: boolean;
            process?: {
                pid: number;
                startedAt: number;
            };
        };
        AgentsShow: {
            name: string;
            description?: string;
            provider?: string;
            model?: string;
            script?: string;
            /** @enum {string} */
            contextRole?: "reader" | "writer" | "synthesis";
            tools?: string[];
            path?: string;
            valid: boolean;
            process?: {
                pid: number;
                startedAt: number;
            };
            fallback?: string[];
            temperature?: number;
            topP?: number;
            budgets?: {
                [key: string]: number;
            };
            answeredBy?: string;
            persona: string;
            problems: {
                code: string;
                field?: string;
                message: string;
                next: string;
            }[];
        };
        AgentsCheck: {
            valid: boolean;
            agents: {
                name: string;
                path?: string;
                valid: boolean;
                problems: {
                    code: string;
                    field?: string;
                    message: string;
                    next: string;
                }[];
            }[];
        };
        LedgerVerify: {
            ok: boolean;
            full: boolean;
            summary: string;
            since?: {
                seq: number;
                at: number;
                events: number;
            };
            events: number;
            archived: number;
            streams: number;
            head: {
                seq: number;
                hash: string;
            };
            mirrorEqual?: boolean;
            server?: string;
            blobs: number;
            signed?: {
                seq: number;
                at: number;
            };
            faults: {
                where: string;
                what: string;
            }[];
            notes: string[];
            repair?: string;
        };
        LedgerStats: {
            events: number;
            archived: number;
            streams: number;
            databaseBytes: number;
            mirrorBytes: number;
            artifactBytes: number;
            types: {
                type: string;
                events: number;
                bytes: number;
            }[];
            growth: {
                day: string;
                events: number;
                bytes: number;
            }[];
        };
        LedgerGc: {
            dryRun: boolean;
            erasedBodies: number;
            archivedRuns: number;
            deletedArtifacts: number;
            freedBytes: number;
        };
        Doctor: {
            ok: boolean;
            checks: {
                name: string;
                ok: boolean;
                detail: string;
                warning?: boolean;
                code?: string;
            }[];
            middleware: string[];
            escapes?: {
                attempt: string;
                held: boolean;
                detail: string;
            }[];
        };
        Problem: {
            status: number;
            type: string;
            title: string;
            /** @description What failed, and what to do next */
            detail: string;
            code: string;
            data?: {
                [key: string]: unknown;
            };
            next?: string;
        };
    };
    responses: {
        /** @description An error, with its code and the next step */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pid: number;
                        version: string;
                        build: string;
                        workspace: string;
                        startedAt: number;
                        log: string;
                        web?: string;
                        calls: number;
                        workers: {
                            name: string;
                            /** @enum {string} */
                            status: "working" | "failing" | "stopped";
                            lastError?: {
                                code: string;
                                message: string;
                                since: number;
                                at: number;
                                count: number;
                                recoveredAt?: number;
                            };
                            lastSuccessAt?: number;
                            nextTryAt?: number;
                        }[];
                        warnings: {
                            message: string;
                            since: number;
                            at: number;
                            count: number;
                        }[];
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspace: string;
                        folder: string;
                        version: string;
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    events: {
        parameters: {
            query?: {
                after?: number;
                run?: string;
                conversation?: string;
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "events.list": {
        parameters: {
            query?: {
                after?: number;
                run?: string;
                conversation?: string;
                kind?: string;
                limit?: number;
                cursor?: string;
                bodies?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            position: number;
                            stream: string;
                            type: string;
                            at: number;
                            run?: string;
                            root?: string;
                            conversation?: string;
                            data: unknown;
                            body?: unknown;
                        }[];
                        next?: string;
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.page": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: ("pending" | "running" | "interrupted" | "waiting" | "paused" | "completed" | "failed" | "cancelled")[];
                kind?: string;
                graph?: string;
                root?: string;
                text?: string;
                rootsOnly?: boolean;
                since?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    do: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    goal: string;
                    agent?: string;
                    model?: string;
                    /** @enum {string} */
                    autonomy?: "manual" | "guided" | "autonomous";
                    planOnly?: boolean;
                    /** @default false */
                    simulate?: boolean;
                    /** @default {} */
                    budgets?: {
                        [key: string]: number;
                    };
                    /** @default 0 */
                    patienceMs?: number;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    overview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    workers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workers"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.events": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsEvents"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.artifact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsArtifact"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.explain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsExplain"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.replay": {
        parameters: {
            query?: {
                mode?: "narrative" | "decision" | "full";
            };
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsReplay"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    /** @default false */
                    repin?: boolean;
                    /** @default {} */
                    addBudgets?: {
                        [key: string]: number;
                    };
                    /** @default 0 */
                    patienceMs?: number;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.signal": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event: string;
                    payload: unknown;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.fork": {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    step: number;
                    /** @default {} */
                    vars?: {
                        [key: string]: unknown;
                    };
                    /** @default 0 */
                    patienceMs?: number;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    /** @default cancelled by the user */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.undo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    /** @default false */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsUndo"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.changes": {
        parameters: {
            query: {
                runs: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsChanges"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.correct": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "runs.pinDifferences": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "approvals.page": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: ("pending" | "approved" | "denied" | "expired" | "answered" | "withdrawn")[];
                run?: string;
                brief?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalsPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "approvals.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "approvals.approve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    argumentsHash?: string;
                    edit?: unknown;
                    /** @enum {string} */
                    remember?: "exact" | "tool";
                    answer?: string;
                    /** @default 0 */
                    patienceMs?: number;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "approvals.deny": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.gallery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsGallery"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.validate": {
        parameters: {
            query?: {
                mode?: "strict" | "bounded" | "flex";
            };
            header?: never;
            path: {
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsValidate"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.save": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                graph: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    definition: unknown;
                    revision?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsSave"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.render": {
        parameters: {
            query?: {
                graph?: string;
                format?: "mermaid" | "dot" | "ascii" | "svg";
                run?: string;
                plain?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    definition: unknown;
                    /** @enum {string} */
                    mode?: "strict" | "bounded" | "flex";
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsCheck"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsVersions"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.version": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                graph: string;
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsVersion"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.patch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                graph: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    node: string;
                    field: string;
                    value: unknown;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsPatch"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    intent: string;
                    id?: string;
                    /** @default false */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsBuild"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.fromRun": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id?: string;
                    /** @default false */
                    dryRun?: boolean;
                    keep?: string[];
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsBuild"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.run": {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default {} */
                    input?: unknown;
                    /** @default {} */
                    vars?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    mode?: "strict" | "bounded" | "flex";
                    /** @default false */
                    simulate?: boolean;
                    /** @default {} */
                    budgets?: {
                        [key: string]: number;
                    };
                    /** @constant */
                    byProgram?: true;
                    /** @default 0 */
                    patienceMs?: number;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default 0 */
                    patienceMs?: number;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.repinDifferences": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.state.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsStateList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.state.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                graph: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsStateList"];
                };
            };
            /** @description Done, or nothing is there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.state.history": {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                graph: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsStateList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.state.checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsStateCheckpoints"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsSchedulesAdd"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    graph: string;
                    cron?: string;
                    zone?: string;
                    onChange?: string;
                    input?: unknown;
                    /** @enum {string} */
                    misfire?: "skip" | "one" | "all";
                    /** @enum {string} */
                    overlap?: "skip" | "queue" | "allow";
                    /** @enum {string} */
                    dst?: "run_after" | "skip";
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsSchedulesAdd"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.preview": {
        parameters: {
            query: {
                cron: string;
                zone?: string;
                dst?: "run_after" | "skip";
                after?: number;
                until?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsSchedulesPreview"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.firings": {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsSchedulesFirings"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsSchedulesAdd"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.disable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphsSchedulesAdd"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.delete": {
        parameters: {
            query?: {
                by?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or nothing is there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "graphs.schedules.trigger": {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    /** @default 0 */
                    patienceMs?: number;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "tools.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolsList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "tools.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolsShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "tools.call": {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input: unknown;
                    /** @default false */
                    simulate?: boolean;
                    /** @constant */
                    byProgram?: true;
                    /** @default 0 */
                    patienceMs?: number;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            /** @description Recorded; the run continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.setPrice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input: number;
                    output: number;
                    cachedInput?: number;
                    model: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsSetPrice"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsProviders"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.offered": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    url?: string;
                    key?: {
                        env: string;
                    } | {
                        value: string;
                    };
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsOffered"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    provider: string;
                    url?: string;
                    key?: {
                        env: string;
                    } | {
                        value: string;
                    };
                    model: string;
                    name?: string;
                    /** @default true */
                    test?: boolean;
                    /** @default false */
                    makeDefault?: boolean;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsAdd"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsTest"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.setDefault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsSetDefault"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "models.remove": {
        parameters: {
            query?: {
                by?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsRemove"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryStats"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.pageFacts": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                namespace?: string;
                all?: boolean;
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryPageFacts"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.addFact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    namespace?: string;
                    importance?: number;
                    confidence?: number;
                    key?: string;
                    source?: string;
                    restsOn?: {
                        path: string;
                        version: string;
                    };
                    file?: string;
                    candidate?: boolean;
                    ttlMs?: number;
                    supersedes?: string;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryAddFact"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.getFact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryGetFact"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.deleteFact": {
        parameters: {
            query?: {
                by?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or nothing is there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.searchFacts": {
        parameters: {
            query: {
                query: string;
                namespace?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySearchFacts"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.review": {
        parameters: {
            query?: {
                namespace?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryReview"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryHistory"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.undoFact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryUndoFact"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.confirmFact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryAddFact"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.rejectFact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Done, or nothing is there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.factPlaces": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryFactPlaces"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.eraseFact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    erase: string[];
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEraseFact"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.pruneFacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    namespace?: string;
                    /** @default false */
                    superseded?: boolean;
                    /** @default false */
                    dryRun?: boolean;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.recordEpisodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    episodes: {
                        text: string;
                        namespace?: string;
                        conversation?: string;
                        source?: string;
                        at?: number;
                        id?: string;
                        speaker?: string;
                    }[];
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryRecordEpisodes"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.days": {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryDays"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.searchDaily": {
        parameters: {
            query: {
                query: string;
                namespace?: string;
                conversation?: string;
                day?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySearchFacts"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memory.retrieve": {
        parameters: {
            query: {
                query: string;
                namespace?: string;
                conversation?: string;
                day?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySearchFacts"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    ttlMs?: number;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.view": {
        parameters: {
            query?: {
                since?: number;
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatView"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.send": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    to?: string[];
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatSend"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.carry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                to: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    from: string;
                    messages: number[];
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Done, or nothing is there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    cancel?: boolean;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.stop": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatStop"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    turn?: string;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatRetry"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.delete": {
        parameters: {
            query?: {
                by?: string;
            };
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or nothing is there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.cleanup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCleanup"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.trace": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatTrace"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "chat.usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatUsage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "memoryPack.preview": {
        parameters: {
            query: {
                goal: string;
                cap?: number;
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryPackPreview"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "maintenance.maintain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default false */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceMaintain"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "metrics.figures": {
        parameters: {
            query?: {
                since?: number;
                backMs?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsFigures"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "procedures.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProceduresList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "procedures.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                procedure: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProceduresShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "procedures.forget": {
        parameters: {
            query?: {
                by?: string;
            };
            header?: never;
            path: {
                procedure: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or nothing is there */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "procedures.explain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                procedure: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProceduresExplain"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "procedures.find": {
        parameters: {
            query: {
                goal: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProceduresFind"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "procedures.score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProceduresScore"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "backup.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    file: string;
                    /** @default false */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCreate"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "backup.verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    file: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupVerify"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "evals.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvalsList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "evals.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvalsShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default false */
                    force?: boolean;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextScan"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.roots": {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextRoots"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.diff": {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextDiff"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextStatus"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.getNode": {
        parameters: {
            query: {
                node: string;
                types?: string[];
                agents?: string[];
                since?: number;
                until?: number;
                maxFrames?: number;
                order?: string;
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextGetNode"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.children": {
        parameters: {
            query: {
                limit?: number;
                cursor?: string;
                node: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextChildren"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.listFrames": {
        parameters: {
            query: {
                node: string;
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextListFrames"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.putFrame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    node: string;
                    /** @default note */
                    type?: string;
                    content: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @default user */
                    agent?: string;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextPutFrame"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.getHead": {
        parameters: {
            query: {
                node: string;
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextGetHead"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.compose": {
        parameters: {
            query: {
                types?: string[];
                agents?: string[];
                since?: number;
                until?: number;
                node: string;
                maxFrames?: number;
                history?: boolean;
                nodeMax?: number;
                parentMax?: number;
                siblingsMax?: number;
                relatedMax?: number;
                sources?: string[];
                related?: string[];
                order?: string;
                typePriority?: string[];
                agentPriority?: string[];
                query?: string;
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextCompose"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.synthesize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    node: string;
                    /** @default note */
                    type?: string;
                    policy?: string;
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @default false */
                    recursive?: boolean;
                    /** @default user */
                    agent?: string;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextSynthesize"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    node: string;
                    /** @default false */
                    recursive?: boolean;
                    types?: string[];
                    /** @default false */
                    dryRun?: boolean;
                    /** @default false */
                    models?: boolean;
                    maxModelCalls?: number;
                    /** @default user */
                    agent?: string;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextRegenerate"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.invalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    node: string;
                    types?: string[];
                    /** @default false */
                    recursive?: boolean;
                    /** @default user */
                    agent?: string;
                    /** @default web */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextInvalidate"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    node: string;
                    prompt: string;
                    /** @default note */
                    type?: string;
                    /** @default user */
                    agent?: string;
                    model?: string;
                    again?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextGenerate"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextValidate"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "context.report": {
        parameters: {
            query?: {
                since?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextReport"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "vault.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VaultList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "trust.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "trust.approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    digest: string;
                    adoptLedger?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "trust.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "trust.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    path: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustRevoke"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "mcp.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "mcp.add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    launch: {
                        /** @constant */
                        transport: "stdio";
                        command: string;
                        args: string[];
                        environment: {
                            [key: string]: string;
                        };
                    } | {
                        /** @constant */
                        transport: "http";
                        url: string;
                        headers: {
                            [key: string]: string;
                        };
                    };
                    /** @default false */
                    user?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAdd"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "mcp.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpRemove"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "mcp.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    approve?: {
                        hash?: string;
                        trustHints: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpTest"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "policy.check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    file?: string;
                    text?: string;
                    /** @enum {string} */
                    owner?: "user" | "project";
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyCheck"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "policy.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "policy.explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tool: string;
                    input: unknown;
                    kind?: string;
                    state?: string;
                    agent?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyExplain"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "grants.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantsList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "grants.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantsList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "skills.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillsList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "skills.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillsShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "agents.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsList"][];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "agents.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    provider?: string;
                    model?: string;
                    script?: string;
                    contextRole?: string;
                    tools?: string[];
                    fallback?: string[];
                    temperature?: number;
                    topP?: number;
                    /** @default {} */
                    budgets?: {
                        [key: string]: number;
                    };
                    persona?: string;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "agents.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsShow"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "agents.check": {
        parameters: {
            query?: {
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsCheck"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "ledger.verify": {
        parameters: {
            query?: {
                full?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerVerify"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "ledger.stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerStats"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    "ledger.gc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default web */
                    by?: string;
                    /** @default true */
                    dryRun?: boolean;
                    bodiesOlderThanMs?: number;
                    bodiesOverBytes?: number;
                    archiveOlderThanMs?: number;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerGc"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    doctor: {
        parameters: {
            query?: {
                sandbox?: boolean;
                models?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Doctor"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
}
